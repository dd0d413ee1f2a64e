/// How a round went.
enum RoundOutcome {
    /// The engine kept its promise; some commits are gone that it allows to go.
    case kept(dropped: Int)
    /// The engine promises nothing for this, and this is what was found.
    case unpromised(Verdict)
    case failure(String)

    /// Whether the store can go on to another round.
    var isUsable: Bool {
        switch self {
        case .kept: true
        case .unpromised(.sound): true
        case .unpromised, .failure: false
        }
    }
}
