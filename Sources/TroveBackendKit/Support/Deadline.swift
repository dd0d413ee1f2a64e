import TroveStorage

/// The end of all the waits of one call.
public struct Deadline: Sendable {
    private let start = ContinuousClock.now
    /// How long the call may wait in all; 0 or more.
    public let timeout: Duration

    public init(_ timeout: Duration) { self.timeout = timeout }

    /// How long the call may still wait; zero when it may no longer.
    public var remaining: Duration { max(.zero, timeout - (.now - start)) }

    public var hasPassed: Bool { remaining == .zero }
}
