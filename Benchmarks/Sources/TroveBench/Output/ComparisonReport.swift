/// Two runs side by side as a Markdown table.
struct ComparisonReport {
    let old: ResultsFile
    let new: ResultsFile
    let onlyChanges: Bool

    var text: String {
        let all = Comparison.all(old, new)
        let changes = all.filter(\.isBeyondSpread)
        let rows = (onlyChanges ? changes : all).map(row)
        let heading = "From \(Self.title(old)) to \(Self.title(new))."
        let unsure = all.count { $0.repeats < Comparison.leastRepeats }
        let summary = """
            \(changes.count) of \(all.count) changed by more than the spread (*): \(changes.count { $0.ratio < 1 }) faster, \
            \(changes.count { $0.ratio > 1 }) slower.\
            \(unsure == 0 ? "" : " Of \(unsure) that cannot be said: one of the runs has measured them less than \(Comparison.leastRepeats) times.")
            """
        let table = ["| workload | contestant | before | after | ratio | |", "|---|---|---:|---:|---:|---|"] + rows
        let parts = [heading, differences, rows.isEmpty ? "" : table.joined(separator: "\n"), summary]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func title(_ file: ResultsFile) -> String {
        "commit \(file.environment.commit), \(file.environment.date), \(Measurement.repeats(file.measurements, of: Workloads.all).map(Figures.repeats) ?? "nothing measured")"
    }

    /// What makes the runs hard to compare.
    private var differences: String {
        let pairs = [
            ("objects", Figures.count(Double(old.scale.count)), Figures.count(Double(new.scale.count))),
            ("durability", old.durability.rawValue, new.durability.rawValue),
            ("machine", old.environment.machine, new.environment.machine),
            ("system", old.environment.system, new.environment.system),
            ("file system", old.environment.fileSystem, new.environment.fileSystem),
            ("Swift", old.environment.swift, new.environment.swift),
        ]
        return pairs.filter { $0.1 != $0.2 }.map { "**Not alike**: \($0.0), \($0.1) and \($0.2)." }.joined(separator: "\n")
    }

    private func row(_ comparison: Comparison) -> String {
        let unit = Workloads.all.first { $0.name == comparison.workload }?.unit ?? .time
        let cells = [
            comparison.workload, comparison.contestant, Figures.result(comparison.old.median, unit),
            Figures.result(comparison.new.median, unit), Figures.short(comparison.ratio), comparison.isBeyondSpread ? "*" : "",
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}
