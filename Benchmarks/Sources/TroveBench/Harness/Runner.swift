import Foundation

/// Runs a plan: every workload by every contestant, each in a process of its own.
///
/// In each repeat of a stage every contestant begins with a new store. The workload that fills it makes it, and the others
/// find it as it was left. Contestants take turns within each workload, and another one begins in each repeat, so
/// that a machine that slows down or warms up hits all alike. A process of its own means that nobody finds
/// memory or caches of another, and that memory can be measured; files stay in the system's cache for all.
struct Runner {
    let plan: RunPlan
    /// The run that is continued, if one is.
    let earlier: ResultsFile?
    /// Called before each measurement with what comes next.
    let progress: (String) -> Void
    /// Called after each stage with all that was measured until then.
    let keep: ([Outcome], Schedule) throws -> Void

    /// - Returns: What was measured, and the schedule as it was kept.
    func run() throws -> (outcomes: [Outcome], schedule: Schedule) {
        try FileManager.default.createDirectory(atPath: plan.directory, withIntermediateDirectories: true)
        defer { removeIfPresent(plan.directory) }
        let start = ContinuousClock.now
        var schedule = plan.schedule(after: earlier)
        var outcomes: [Outcome] = []
        var families: Set<StoreFamily> = []
        while let place = schedule.next(elapsed: Self.seconds(since: start)) {
            let entry = schedule.entries[place]
            if families.insert(entry.stage.family).inserted { try writeRecords(entry.stage) }
            let beginning = ContinuousClock.now
            outcomes += try run(entry.stage, round: entry.round)
            schedule.note(place, seconds: Self.seconds(since: beginning))
            try keep(outcomes, schedule)
        }
        return (outcomes, schedule)
    }

    /// Writes the records that the C programs are given, where they are given any.
    private func writeRecords(_ stage: Stage) throws {
        guard stage.contestants.contains(where: { $0.kind == .raw }), stage.family != .catalogue else { return }
        progress("preparing \(stage.family.rawValue)")
        try stage.family.writeRecords(stage.workloads[0].scale, to: recordFile(of: stage.family))
    }

    private func run(_ stage: Stage, round: Int) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        let turn = round % stage.contestants.count
        let contestants = stage.contestants[turn...] + stage.contestants[..<turn]
        defer { for contestant in contestants { removeIfPresent(directory(of: contestant)) } }
        for (workload, scale) in stage.workloads {
            let isAsked = plan.workloads.contains { $0.name == workload.name }
            for contestant in contestants where contestant.reasonAgainst(workload) == nil {
                if workload.fillsStore { try makeEmpty(directory(of: contestant)) }
                progress("repeat \(round + 1)  \(workload.name)  \(contestant.name)")
                let outcome = measure(contestant, workload, scale, round)
                if isAsked || outcome.failure != nil { outcomes.append(outcome) }
            }
        }
        return outcomes
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        let time = ContinuousClock.now - start
        return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    }

    private func measure(_ contestant: any Contestant, _ workload: any Workload, _ scale: Scale, _ round: Int) -> Outcome {
        let arguments = [
            "measure", "--contestant", contestant.name, "--workload", workload.name, "--count", "\(scale.count)",
            "--round", "\(round)", "--durability", plan.durability.rawValue, "--directory", directory(of: contestant),
            "--record-file", recordFile(of: workload.family),
        ]
        do {
            let output = try ChildProcess.output(of: Self.executable, arguments, limit: Self.limit(workload, scale))
            return .measured(try JSONDecoder().decode(Measurement.self, from: output))
        } catch {
            return .failed(Failure(contestant: contestant.name, workload: workload.name, round: round, reason: "\(error)"))
        }
    }

    /// After so many seconds a process that measures hangs: many times what the slowest contestant takes on a slow disk.
    private static func limit(_ workload: any Workload, _ scale: Scale) -> Double {
        600 + 60 * workload.family.secondsOfContestant(objects: scale.count, workloads: 1)
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
