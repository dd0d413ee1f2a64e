/// The end of all the waits of one call.
struct Deadline: Sendable {
    private let start = ContinuousClock.now
    let timeout: Duration

    init(_ timeout: Duration) { self.timeout = timeout }

    /// How long the call may still wait; zero when it may no longer.
    var remaining: Duration { max(.zero, timeout - (.now - start)) }

    var hasPassed: Bool { remaining == .zero }
}
