import TestSupport
import Trove

/// All rounds of one engine, level and kind of crash.
struct CrashRun {
    private let files: SeriesFiles
    private let plans: KillPlans
    private let rounds: Int
    private let seconds: Int?
    private var deadline: ContinuousClock.Instant?
    private let isVerbose: Bool
    private let sabotage: Sabotage?
    private let keep: String?
    private let capabilities: StorageCapabilities
    private(set) var tally: CrashTally

    init(
        _ setup: SeriesSetup, _ files: SeriesFiles, _ plans: KillPlans, rounds: Int, seconds: Int?, isVerbose: Bool,
        sabotage: Sabotage?, keep: String?
    ) throws {
        self.keep = keep
        self.files = files
        self.plans = plans
        self.rounds = rounds
        self.seconds = seconds
        self.isVerbose = isVerbose
        self.sabotage = sabotage
        capabilities = try Self.capabilities(of: setup, files)
        tally = CrashTally(setup, isPromised: CrashSeries(setup, files, capabilities: capabilities, keep: nil).isPromised)
    }

    /// Asks the engine what it promises, in a process of its own, so that this one never opens a store.
    private static func capabilities(of setup: SeriesSetup, _ files: SeriesFiles) throws -> StorageCapabilities {
        let path = try files.makeToolDirectory() + "/capabilities"
        let end = try ForkedProcess.run { send in
            let backend = try setup.openEngine(path)
            for durability in Durability.allCases { send("\(backend.capabilities.survival(of: durability).rawValue)") }
            try backend.close()
        }
        let ranks = end.report.split(separator: "\n").compactMap { Int($0).flatMap(StorageCapabilities.Survival.init(rawValue:)) }
        guard ranks.count == Durability.allCases.count else { throw ContentsError("\(setup.engine) cannot be opened: \(end.report)") }
        return StorageCapabilities(
            engine: setup.engine.rawValue, engineVersion: "", readersDuringWrite: .proceed, canReadInsideWrite: false,
            canWriteInsideRead: false, sharing: .oneProcess, countsInConstantTime: false, maxKeyspaces: 0,
            promises: Dictionary(uniqueKeysWithValues: zip(Durability.allCases, ranks)))
    }

    mutating func run() throws {
        deadline = seconds.map { .now + .seconds($0) }
        switch plans {
        case .random(let windows): try runRandom(windows)
        case .sweep(let windows, let stride): try runSweep(windows, stride)
        case .one(let plan): _ = try runSeries(tally.setup) { round, _ in round == 0 ? plan : nil }
        }
        print(summary)
    }

    private var summary: String {
        "\(tally.setup.engine) \(tally.setup.level) \(tally.setup.kind): \(tally.rounds) rounds, \(tally.failures.count) failures"
    }

    private var isOver: Bool { deadline.map { .now >= $0 } ?? false }

    private mutating func runRandom(_ windows: [KillWindow]) throws {
        var seed = tally.setup.seed
        var printed = ContinuousClock.now
        repeat {
            let setup = SeriesSetup(engine: tally.setup.engine, level: tally.setup.level, kind: tally.setup.kind, seed: seed)
            var generator = SeededGenerator(seed: seed)
            let remaining = rounds - tally.rounds
            _ = try runSeries(setup) { round, _ in
                guard round < min(CrashSeries.roundLimit, remaining) else { return nil }
                var plan = KillPlan(using: &generator)
                while !windows.contains(plan.window) { plan = KillPlan(using: &generator) }
                return plan
            }
            seed += 1
            if .now - printed > .seconds(5) {
                print("  " + summary)
                printed = .now
            }
        } while tally.rounds < rounds && !isOver
    }

    /// New stores that end at call 1, 2, 3 … of a window, until the window is outlived; then in recovering from a crash.
    private mutating func runSweep(_ windows: [KillWindow], _ stride: Int) throws {
        for window in windows {
            try sweep("window \(window)", stride) { KillPlan(window, target: $0, mode: $1) }
        }
        for first in [7, 23, 61] where windows.contains(.opening) {
            try sweep("recovery from call \(first)", stride) { target, mode in
                var plan = KillPlan(.call, target: first, mode: mode)
                plan.recoveryTargets = [target]
                return plan
            }
        }
    }

    /// So many failures one after the other are no longer those of single places: the writing process fails wherever it is to end.
    private static let failureLimit = 20
    /// Far more calls than a series makes.
    private static let targetLimit = 1_000_000

    /// Ends at one place after the other until one is outlived, in one of three ways in turn: before, after or inside the call. However little time there is, there is one round.
    ///
    /// - Throws: ``ContentsError`` when it would go on for ever, as no place is outlived.
    private mutating func sweep(_ what: String, _ stride: Int, _ plan: (_ target: Int, _ mode: UInt32) -> KillPlan) throws {
        var target = 1
        var failuresInARow = 0
        repeat {
            let failures = tally.failures.count
            if try runSeries(tally.setup, { round, _ in round == 0 ? plan(target, UInt32(target / stride % 3)) : nil }) { return }
            failuresInARow = tally.failures.count > failures ? failuresInARow + 1 : 0
            guard failuresInARow < Self.failureLimit else {
                throw ContentsError("the sweep of \(what) is given up after \(failuresInARow) failures one after the other; see those above")
            }
            target += stride
            guard target <= Self.targetLimit else { throw ContentsError("the sweep of \(what) is not outlived at call \(target)") }
        } while !isOver
    }

    /// Runs rounds on a new store until there is no plan for another; whether the last one outlived what it was to end in.
    private mutating func runSeries(_ setup: SeriesSetup, _ nextPlan: (_ round: Int, _ hasOutlived: Bool) throws -> KillPlan?) throws -> Bool {
        // Real syncs change nothing but the time; some rounds have them all the same.
        try files.begin(setup, syncsForReal: setup.seed % 16 == 0, sabotage: sabotage)
        let series = CrashSeries(setup, files, capabilities: capabilities, keep: tally.failures.isEmpty ? keep : nil)
        var hasOutlived = false
        var round = 0
        while let plan = try nextPlan(round, hasOutlived) {
            let (outcome, outlived) = try series.run(plan, round: round)
            hasOutlived = outlived
            let command = command(setup, plan, round)
            tally.add(outcome, plan, command: command)
            if isVerbose { print("  seed \(setup.seed), round \(round), \(plan): \(outcome)\(outlived ? ", outlived" : "")") }
            if case .failure(let message) = outcome { print("  FAILED, \(plan): \(message)\n    again: \(command)") }
            guard outcome.isUsable else { break }
            round += 1
        }
        return hasOutlived
    }

    private func command(_ setup: SeriesSetup, _ plan: KillPlan, _ round: Int) -> String {
        switch plans {
        case .random(let windows):
            setup.command(rounds: round + 1) + (Set(windows).count < KillWindow.allCases.count ? " WINDOW=\"\(windows.map(\.rawValue).joined(separator: " "))\"" : "")
        case .sweep, .one:
            setup.command(rounds: 1) + " WINDOW=\(plan.window) TARGET=\(plan.target) MODE=\(["before", "after", "inside"][Int(plan.mode)])"
                + (plan.recoveryTargets.isEmpty ? "" : " RECOVERY=\(plan.recoveryTargets.map(String.init).joined(separator: ","))")
        }
    }
}
