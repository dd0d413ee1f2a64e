import TestSupport
import Trove

/// All rounds of crowds on one engine and level.
struct CrowdRun {
    private let files: SeriesFiles
    private let windows: [CrowdWindow]
    private let rounds: Int
    private let seconds: Int?
    private let isVerbose: Bool
    private let sabotage: Sabotage?
    private let keep: String?
    private let firstSetup: SeriesSetup
    private(set) var failures: [CrashTally.Failure] = []
    private(set) var roundCount = 0
    private(set) var byWindow: [CrowdWindow: Int] = [:]

    init(
        _ setup: SeriesSetup, _ files: SeriesFiles, windows: [CrowdWindow], rounds: Int, seconds: Int?, isVerbose: Bool, sabotage: Sabotage?,
        keep: String?
    ) {
        firstSetup = setup
        self.files = files
        self.windows = windows
        self.rounds = rounds
        self.seconds = seconds
        self.isVerbose = isVerbose
        self.sabotage = sabotage
        self.keep = keep
    }

    var summary: String { "\(firstSetup.engine) \(firstSetup.level), several processes: \(roundCount) rounds, \(failures.count) failures" }

    mutating func run() throws {
        let deadline = seconds.map { ContinuousClock.now + .seconds($0) }
        var seed = firstSetup.seed
        var printed = ContinuousClock.now
        repeat {
            try runSeries(SeriesSetup(engine: firstSetup.engine, level: firstSetup.level, kind: .kill, seed: seed))
            seed += 1
            if .now - printed > .seconds(5) {
                print("  " + summary)
                printed = .now
            }
        } while roundCount < rounds && !isFound && deadline.map { .now < $0 } ?? true
        print(summary)
    }

    /// Whether what is done wrong on purpose was found, which is all that is asked then.
    private var isFound: Bool { sabotage != nil && !failures.isEmpty }

    /// Rounds on one store, until there are enough of them or one fails.
    private mutating func runSeries(_ setup: SeriesSetup) throws {
        try files.begin(setup, syncsForReal: true, sabotage: sabotage)
        var generator = SeededGenerator(seed: setup.seed)
        for round in 0..<min(CrashSeries.roundLimit, rounds - roundCount) {
            let plan = CrowdPlan(of: windows, using: &generator)
            let outcome = try CrowdRound(setup: setup, files: files, plan: plan, round: round, keep: failures.isEmpty ? keep : nil).run()
            roundCount += 1
            for member in plan.members { byWindow[member.window, default: 0] += 1 }
            if isVerbose { print("  seed \(setup.seed), round \(round), \(plan): \(outcome)") }
            guard case .failure(let message) = outcome else { continue }
            failures.append(.init(message: "\(plan): \(message)", command: command(setup, rounds: round + 1)))
            print("  FAILED, \(plan): \(message)")
            return
        }
    }

    private func command(_ setup: SeriesSetup, rounds: Int) -> String {
        "make crash CROWD=1 ENGINE=\(setup.engine.argument) LEVEL=\(setup.level) SEED=\(setup.seed) ROUNDS=\(rounds)"
            + (windows.count < CrowdWindow.allCases.count ? " WINDOW=\"\(windows.map(\.rawValue).joined(separator: " "))\"" : "")
    }
}
