import Foundation

/// The results as Markdown tables.
struct MarkdownReport {
    private let results: Results

    init(_ results: Results) {
        self.results = results
    }

    var text: String {
        [problems, heading, leftOut, matrix, targets, latencies, details].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var problems: String {
        results.problems.map { "**Problem**: \($0)" }.joined(separator: "\n\n")
    }

    private var heading: String {
        let environment = results.environment
        let plan = results.plan
        return """
            Trove's benchmark, \(results.repeats(of: plan.workloads).map(Figures.repeats) ?? "nothing measured"), \(plan.durability.rawValue) commits, \(environment.date), commit \(environment.commit).
            \(environment.machine); \(environment.system), \(environment.fileSystem); \(environment.swift); \(environment.versionText).
            """
    }

    private var leftOut: String {
        guard !results.leftOut.isEmpty else { return "" }
        return "**Left out**, because \(Figures.short(results.plan.minutes)) minutes were too short for it: \(results.leftOut.joined(separator: ", "))."
    }

    /// Who against what, a table for each family: medians, and how many times that of the C program.
    private var matrix: String {
        let tables = StoreFamily.allCases.compactMap { family -> String? in
            let workloads = results.plan.workloads.filter { workload in
                workload.family == family && workload.scale(results.plan.scale) != nil && !results.leftOut.contains(workload.name)
            }
            return workloads.isEmpty ? nil : table(of: workloads, family)
        }
        return """
            Medians: the time of one operation, or operations a second. In brackets: how many times the time of the C program on the same \
            engine; for GRDB of the one on columns, where that takes part. Letters tell why there is no figure\(tables.contains { $0.contains("| – ") } ? "; a dash stands for what was not asked for" : "").


            """ + tables.joined(separator: "\n\n")
    }

    private func table(of workloads: [any Workload], _ family: StoreFamily) -> String {
        var lines = [
            "| | " + workloads.map(\.title).joined(separator: " | ") + " |",
            "|---|" + workloads.map { _ in "---:|" }.joined(),
        ]
        var (reasons, absent): ([String], [String: [String]]) = ([], [:])
        for contestant in results.plan.contestants {
            guard workloads.contains(where: { contestant.reasonAgainst($0) == nil }) else {
                if let reason = workloads.first.flatMap({ contestant.reasonAgainst($0) }) { absent[reason, default: []].append(contestant.title) }
                continue
            }
            let cells = workloads.map { cell(contestant, $0, &reasons) }
            lines.append("| \(contestant.title) | \(cells.joined(separator: " | ")) |")
        }
        let count = workloads.compactMap { $0.scale(results.plan.scale)?.count }.max() ?? 0
        let heading = "**\(family.hasCount ? Figures.count(Double(count)) + " " : "")\(family.objects)**; \(repeats(of: workloads))"
        let notes = (reasons.enumerated().map { "\(Self.letter($0)): \($1)." }
            + absent.sorted { $0.key < $1.key }.map { "Without \($1.joined(separator: ", ")): \($0)." }).joined(separator: " ")
        return [heading, lines.joined(separator: "\n"), notes].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// How often the workloads of a table were measured; each by itself when that differs.
    private func repeats(of workloads: [any Workload]) -> String {
        guard let all = results.repeats(of: workloads) else { return "not measured" }
        if all.count == 1 { return Figures.repeats(all) }
        let others = workloads.compactMap { workload in
            results.repeats(of: [workload]).flatMap { $0.lowerBound == all.upperBound ? nil : "\(workload.title) \(Figures.repeats($0))" }
        }
        return "\(Figures.repeats(all.upperBound...all.upperBound)), but \(others.joined(separator: ", "))"
    }

    /// a, b, … z, aa, ab, …
    private static func letter(_ place: Int) -> String {
        let last = String(UnicodeScalar(UInt8(97 + place % 26)))
        return place < 26 ? last : letter(place / 26 - 1) + last
    }

    private func cell(_ contestant: any Contestant, _ workload: any Workload, _ reasons: inout [String]) -> String {
        if let reason = contestant.reasonAgainst(workload) {
            let place = reasons.firstIndex(of: reason) ?? reasons.count
            if place == reasons.count { reasons.append(reason) }
            return "\(Self.letter(place))"
        }
        guard let own = results.secondsEach(contestant.name, workload.name) else {
            return results.didFail(contestant.name, workload.name) ? "failed" : "–"
        }
        let text = Figures.result(own, workload.unit)
        guard let floor = results.floor(of: contestant, workload), let least = results.secondsEach(floor.name, workload.name) else { return text }
        return "\(text) (\(Figures.short(own / least)))"
    }

    private var targets: String {
        let results = Targets.results(results)
        guard !results.isEmpty else { return "" }
        let lines = results.map { result in
            let verdict = result.isMet.map { $0 ? "met" : "**missed**" } ?? ""
            return "| \(result.title) | \(result.bound) | \(Figures.short(result.figure))\(result.unit) | \(verdict) |"
        }
        return (["| target | asked | measured | |", "|---|---:|---:|---|"] + lines).joined(separator: "\n")
    }

    private var latencies: String {
        var lines = [
            "| workload | contestant | half within | 95% within | 99% within | longest |",
            "|---|---|---:|---:|---:|---:|",
        ]
        for workload in results.plan.workloads {
            for contestant in results.plan.contestants {
                guard let latencies = results.summary(contestant.name, workload.name)?.latencies else { continue }
                let times = [latencies.median, latencies.percentile95, latencies.percentile99, latencies.maximum].map { Figures.result($0, .time) }
                lines.append("| \(workload.name) | \(contestant.name) | \(times.joined(separator: " | ")) |")
            }
        }
        return lines.count > 2 ? "**Single operations, each timed by itself**\n\n" + lines.joined(separator: "\n") : ""
    }

    private var details: String {
        var lines = [
            "| workload | contestant | median | from | to | processor time | allocations | peak memory | engine's cache | files |",
            "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        ]
        for workload in results.plan.workloads {
            for contestant in results.plan.contestants {
                guard let summary = results.summary(contestant.name, workload.name) else { continue }
                let cells = [
                    workload.name, contestant.name,
                    Figures.result(summary.secondsEach.median, workload.unit),
                    Figures.result(summary.secondsEach.minimum, workload.unit),
                    Figures.result(summary.secondsEach.maximum, workload.unit),
                    Figures.result(summary.processorSecondsEach.median, .time),
                    summary.allocationsEach.map { Figures.short($0.median) } ?? "",
                    Figures.mebibytes(summary.peakGrowth.maximum),
                    summary.engineCache.map { Figures.mebibytes($0.median) } ?? "",
                    Figures.mebibytes(summary.storeSize.median),
                ]
                lines.append("| \(cells.joined(separator: " | ")) |")
            }
        }
        return "**Everything measured**; processor time and allocations are those of one operation\n\n" + lines.joined(separator: "\n")
    }
}
