/// One contestant's results of one workload in two runs.
struct Comparison: Sendable {
    let contestant: String
    let workload: String
    /// The time of one operation, in seconds.
    let old: Spread
    let new: Spread
    /// How often the one that has fewer repeats was measured.
    let repeats: Int

    /// So many repeats tell at the least how far they are apart.
    static let leastRepeats = 3

    /// How many times as long the new one takes.
    var ratio: Double { new.median / old.median }

    /// Whether both runs have repeats enough, and no measurement of one is among those of the other: a difference that the repeats do not explain.
    var isBeyondSpread: Bool { repeats >= Self.leastRepeats && (new.minimum > old.maximum || new.maximum < old.minimum) }

    /// What both runs have measured, in the order of the workloads and, within each, of the new run.
    static func all(_ old: ResultsFile, _ new: ResultsFile) -> [Comparison] {
        let (oldCounts, newCounts) = (counts(old), counts(new))
        let pairs = new.summaries.compactMap { summary in
            let key = [summary.contestant, summary.workload]
            let repeats = min(oldCounts[key] ?? 0, newCounts[key] ?? 0)
            return old.summaries.first { $0.contestant == summary.contestant && $0.workload == summary.workload }.map {
                Comparison(
                    contestant: summary.contestant, workload: summary.workload, old: $0.secondsEach, new: summary.secondsEach, repeats: repeats)
            }
        }
        let known = Workloads.all.map(\.name)
        return known.flatMap { name in pairs.filter { $0.workload == name } } + pairs.filter { !known.contains($0.workload) }
    }

    /// How often each contestant was measured in each workload.
    private static func counts(_ file: ResultsFile) -> [[String]: Int] {
        Dictionary(grouping: file.measurements, by: { [$0.contestant, $0.workload] }).mapValues(\.count)
    }
}
