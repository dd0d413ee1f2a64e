import Foundation

/// Runs a plan: every workload by every contestant, each in a process of its own.
///
/// In each repeat every contestant begins with a new store of each family. The workload that fills it makes it, and the others
/// find it as it was left. Contestants take turns within each workload, and another one begins in each repeat, so
/// that a machine that slows down or warms up hits all alike. A process of its own means that nobody finds
/// memory or caches of another, and that memory can be measured; files stay in the system's cache for all.
struct Runner {
    let plan: RunPlan
    /// Called before each measurement with what comes next.
    let progress: (String) -> Void

    /// The workloads that are asked for, and those that make the stores for them, in order, with their scales.
    private var workloads: [(workload: any Workload, scale: Scale)] {
        let names = Set(plan.workloads.flatMap { $0.preparation + [$0.name] })
        return Workloads.all.filter { names.contains($0.name) }.compactMap { workload in workload.scale(plan.scale).map { (workload, $0) } }
    }

    /// - Returns: What was measured, and how many repeats that are.
    func run() throws -> (outcomes: [Outcome], repeats: Int) {
        try FileManager.default.createDirectory(atPath: plan.directory, withIntermediateDirectories: true)
        defer { removeIfPresent(plan.directory) }
        if plan.contestants.contains(where: { $0.kind == .raw }) {
            progress("writing \(plan.scale.count) records for the C programs")
            for family in Set(workloads.map(\.workload.family)) { try family.writeRecords(plan.scale, to: recordFile(of: family)) }
        }
        var outcomes: [Outcome] = []
        let start = ContinuousClock.now
        for round in 0..<plan.repeats {
            let beginning = ContinuousClock.now
            outcomes += try run(round)
            // Another one takes as long as this, or less: the largest stores are made in the first alone.
            let (last, elapsed) = (ContinuousClock.now - beginning, ContinuousClock.now - start)
            if elapsed + last > .seconds(plan.minutes * 60) { return (outcomes, round + 1) }
        }
        return (outcomes, plan.repeats)
    }

    private func run(_ round: Int) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        let turn = round % plan.contestants.count
        let contestants = plan.contestants[turn...] + plan.contestants[..<turn]
        for family in StoreFamily.allCases {
            // One family's stores are removed before the next one's are made.
            defer { for contestant in contestants { removeIfPresent(directory(of: contestant)) } }
            for (workload, scale) in workloads where workload.family == family && round < workload.repeatLimit {
                let isAsked = plan.workloads.contains { $0.name == workload.name }
                for contestant in contestants where contestant.reasonAgainst(workload) == nil {
                    if workload.fillsStore { try makeEmpty(directory(of: contestant)) }
                    progress("\(round + 1)/\(plan.repeats)  \(workload.name)  \(contestant.name)")
                    let outcome = measure(contestant, workload, scale, round)
                    if isAsked || outcome.failure != nil { outcomes.append(outcome) }
                }
            }
        }
        return outcomes
    }

    private func measure(_ contestant: any Contestant, _ workload: any Workload, _ scale: Scale, _ round: Int) -> Outcome {
        let arguments = [
            "measure", "--contestant", contestant.name, "--workload", workload.name, "--count", "\(scale.count)",
            "--round", "\(round)", "--durability", plan.durability.rawValue, "--directory", directory(of: contestant),
            "--record-file", recordFile(of: workload.family),
        ]
        do {
            let output = try ChildProcess.output(of: Self.executable, arguments)
            return Outcome(contestant, workload, .success(try JSONDecoder().decode(Measurement.self, from: output)))
        } catch {
            return Outcome(contestant, workload, .failure(error))
        }
    }

    private func recordFile(of family: StoreFamily) -> String {
        family == .catalogue ? plan.catalogue : "\(plan.directory)/\(family.rawValue)"
    }

    private func directory(of contestant: any Contestant) -> String { "\(plan.directory)/\(contestant.name)" }

    private func makeEmpty(_ path: String) throws {
        removeIfPresent(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    private func removeIfPresent(_ path: String) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            progress("cannot remove \(path): \(error)")
        }
    }

    private static var executable: URL {
        Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    }
}
