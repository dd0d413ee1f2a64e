/// What the rounds of one engine, level and kind have come to.
struct CrashTally {
    /// A round that went wrong, and how to repeat it.
    struct Failure {
        let message: String
        let command: String
    }

    let setup: SeriesSetup
    let isPromised: Bool
    var rounds = 0
    var failures: [Failure] = []
    /// Rounds in which acknowledged commits were gone.
    var dropping = 0
    /// Rounds of an engine that promises nothing: the store could not be opened, or held something else than whole commits.
    var refusing = 0
    var damaging = 0
    var byWindow: [KillWindow: Int] = [:]

    init(_ setup: SeriesSetup, isPromised: Bool) {
        self.setup = setup
        self.isPromised = isPromised
    }

    mutating func add(_ outcome: RoundOutcome, _ plan: KillPlan, command: String) {
        rounds += 1
        byWindow[plan.window, default: 0] += 1
        switch outcome {
        case .kept(let dropped): if dropped > 0 { dropping += 1 }
        case .unpromised(.sound(_, let dropped, _)): if dropped > 0 { dropping += 1 }
        case .unpromised(.refused): refusing += 1
        case .unpromised(.damaged): damaging += 1
        case .failure(let message): failures.append(Failure(message: message, command: command))
        }
    }
}
