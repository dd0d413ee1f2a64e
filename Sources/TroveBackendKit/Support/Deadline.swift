import TroveStorage

/// The end of all waits of one call.
public struct Deadline: Sendable {
    private let start = ContinuousClock.now
    /// The time that the call may wait in all; 0 or more.
    public let timeout: Duration

    public init(_ timeout: Duration) { self.timeout = timeout }

    /// The time that the call may still wait; 0 when there is none.
    public var remaining: Duration { max(.zero, timeout - (.now - start)) }

    public var hasPassed: Bool { remaining == .zero }
}
