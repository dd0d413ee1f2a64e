/// One contestant's results of one workload in two runs.
struct Comparison: Sendable {
    let contestant: String
    let workload: String
    /// The time of one operation, in seconds.
    let old: Spread
    let new: Spread

    /// How many times as long the new one takes.
    var ratio: Double { new.median / old.median }

    /// Whether no measurement of one run is among those of the other: a difference that the repeats do not explain.
    var isBeyondSpread: Bool { new.minimum > old.maximum || new.maximum < old.minimum }

    /// What both runs have measured, in the order of the workloads and, within each, of the new run.
    static func all(_ old: ResultsFile, _ new: ResultsFile) -> [Comparison] {
        let pairs = new.summaries.compactMap { summary in
            old.summaries.first { $0.contestant == summary.contestant && $0.workload == summary.workload }.map {
                Comparison(
                    contestant: summary.contestant, workload: summary.workload, old: $0.secondsEach, new: summary.secondsEach)
            }
        }
        let known = Workloads.all.map(\.name)
        return known.flatMap { name in pairs.filter { $0.workload == name } } + pairs.filter { !known.contains($0.workload) }
    }
}
