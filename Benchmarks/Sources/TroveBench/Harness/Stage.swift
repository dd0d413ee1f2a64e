/// A workload that fills a store, and those that then work on it: what a run repeats as one.
struct Stage: Sendable {
    let family: StoreFamily
    /// The filling one first; each with its scale.
    let workloads: [(workload: any Workload, scale: Scale)]
    /// Those who take part in any of them that is asked for.
    let contestants: [any Contestant]

    /// The workloads that are measured, not only done to prepare others.
    let asked: [any Workload]

    /// The name of the workload that fills the store.
    var name: String { workloads[0].workload.name }

    /// About how long a repeat takes on the machine of docs/performance.md, in seconds.
    var estimate: Double { Double(contestants.count) * family.secondsOfContestant(objects: workloads[0].scale.count, workloads: workloads.count) }

    /// How often all of it is among measurements.
    func repeats(in measurements: [Measurement]) -> Int {
        let counts = Dictionary(grouping: measurements, by: { [$0.contestant, $0.workload] }).mapValues(\.count)
        return asked.flatMap { workload in
            contestants.filter { $0.reasonAgainst(workload) == nil }.map { counts[[$0.name, workload.name]] ?? 0 }
        }.min() ?? 0
    }

    /// The number of its next repeat: after all that any part of it was measured in, or failed in.
    func nextRound(after earlier: ResultsFile) -> Int {
        let names = Set(workloads.map(\.workload.name))
        let rounds = earlier.measurements.filter { names.contains($0.workload) }.map(\.round)
            + (earlier.failures ?? []).filter { names.contains($0.workload) }.map(\.round)
        return rounds.max().map { $0 + 1 } ?? 0
    }

    /// The stages of workloads and of those that prepare them, in the order in which they are run.
    ///
    /// - Parameter asked: Workloads that leave themselves out at this scale are in none.
    static func all(of asked: [any Workload], _ scale: Scale, _ contestants: [any Contestant]) -> [Stage] {
        let names = Set(asked.flatMap { $0.preparation + [$0.name] })
        let needed = Workloads.all.filter { names.contains($0.name) }.compactMap { workload in workload.scale(scale).map { (workload, $0) } }
        return StoreFamily.byImportance.flatMap { family -> [Stage] in
            var groups: [[(any Workload, Scale)]] = []
            for entry in needed where entry.0.family == family {
                if entry.0.fillsStore || groups.isEmpty { groups.append([]) }
                groups[groups.count - 1].append(entry)
            }
            return groups.compactMap { group in
                let wanted = group.map(\.0).filter { workload in asked.contains { $0.name == workload.name } }
                let taking = contestants.filter { contestant in wanted.contains { contestant.reasonAgainst($0) == nil } }
                return taking.isEmpty ? nil : Stage(family: family, workloads: group, contestants: taking, asked: wanted)
            }
        }
    }
}
