import TroveStorage

/// The end of all waits of one call, on a clock that is read in some nanoseconds: each transaction has one. It is right within a few milliseconds.
public struct Deadline: Sendable {
    private let start = MonotonicTime.now
    /// The time that the call may wait in all; 0 or more.
    public let timeout: Duration

    /// A deadline for waits that begin now.
    public init(_ timeout: Duration) { self.timeout = timeout }

    /// The deadline of a call that waits as long as it takes.
    public static var never: Deadline { Deadline(.seconds(Int64.max)) }

    /// The time that the call may still wait; 0 when there is none.
    public var remaining: Duration { max(.zero, timeout - start.elapsed) }

    /// Whether the call may wait no longer.
    public var hasPassed: Bool { remaining == .zero }
}
