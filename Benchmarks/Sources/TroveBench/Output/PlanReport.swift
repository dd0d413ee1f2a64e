import Foundation

/// What a run would do, as a table.
struct PlanReport {
    private let schedule: Schedule
    private let plan: RunPlan

    init(_ schedule: Schedule, _ plan: RunPlan) {
        self.schedule = schedule
        self.plan = plan
    }

    var text: String {
        let (counts, seconds) = rehearsed()
        let header = ["stage", "workloads", "objects", "contestants", "a repeat takes", "repeats"]
        let rows = schedule.entries.enumerated().map { place, entry in
            [
                entry.stage.name, "\(entry.stage.workloads.count)", entry.stage.family.hasCount ? Figures.count(Double(entry.stage.workloads[0].scale.count)) : "a file",
                "\(entry.stage.contestants.count)", Self.time(schedule.expected(place)),
                entry.done == 0 ? "\(counts[place])" : "\(entry.done) done, \(counts[place] - entry.done) more",
            ]
        }
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([header] + rows).map { row in
            row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + space : space + row[column]
            }.joined(separator: "   ")
        }
        let leftOut = counts.count { $0 == 0 }
        let all = schedule.entries.indices.reduce(0) { $0 + Double(max(0, plan.repeats - schedule.entries[$1].done)) * schedule.expected($1) }
        let times = schedule.entries.contains { $0.seconds != nil } ? "as measured before" : "as on the machine of docs/performance.md, so within a factor of two"
        return lines.joined(separator: "\n") + """


            Together about \(Self.time(seconds)) of at most \(Self.time(plan.minutes * 60)); all \(plan.repeats) repeats of everything take about \(Self.time(all)). \
            The times are \(times); a run goes by what it measures.\(leftOut == 0 ? "" : " 0 repeats: left out, there is no time.")
            The largest stores take about \(Figures.short(Double(plan.spaceNeeded) / 1e9)) GB in \(URL(fileURLWithPath: plan.directory).deletingLastPathComponent().path).
            """
    }

    /// How often each stage would have been measured in the end, and how long that would take.
    private func rehearsed() -> (counts: [Int], seconds: Double) {
        var (schedule, elapsed) = (schedule, 0.0)
        while let place = schedule.next(elapsed: elapsed) {
            let seconds = schedule.expected(place)
            elapsed += seconds
            schedule.note(place, seconds: seconds)
        }
        return (schedule.entries.map(\.done), elapsed)
    }

    private static func time(_ seconds: Double) -> String {
        seconds < 90 ? "\(Int(seconds.rounded(.up))) s" : "\(Int((seconds / 60).rounded())) min"
    }
}
