/// The calls that fail, and their errors.
///
/// ```swift
/// FaultPlan(.nth(3))                                                      // the third call of any kind, once
/// FaultPlan(.oneIn(100, seed: 7), at: [.change], as: .diskFull)
/// FaultPlan(.nth(1), at: [.beforeCommit], lasts: true)                    // no commit succeeds any more
/// ```
public struct FaultPlan: Sendable, Hashable {
    /// The time when a call fails.
    public enum Trigger: Sendable, Hashable {
        /// The `n`th call of the points, counted from 1.
        case nth(Int)
        /// Each call of the points with a probability of one in `n`.
        case oneIn(Int, seed: UInt64)
    }

    /// The time when a call fails.
    public var trigger: Trigger
    /// The calls that count and may fail.
    public var points: Set<FaultPoint>
    /// The error that the failing call throws.
    public var kind: FaultKind
    /// Whether every call after the first failing one fails too; otherwise ``Trigger/nth(_:)`` fails one call.
    public var lasts: Bool
    /// Whether a fault inside a savepoint ends with the undoing of the savepoint, as on engines that can undo one after an error; otherwise the whole
    /// transaction has to roll back. The contract allows both.
    public var savepointsRecover: Bool

    /// Creates a plan.
    ///
    /// - Parameter points: all but ``FaultPoint/afterCommit`` unless given.
    public init(
        _ trigger: Trigger, at points: Set<FaultPoint> = Set(FaultPoint.allCases).subtracting([.afterCommit]),
        as kind: FaultKind = .inputOutput, lasts: Bool = false, savepointsRecover: Bool = true
    ) {
        self.trigger = trigger
        self.points = points
        self.kind = kind
        self.lasts = lasts
        self.savepointsRecover = savepointsRecover
    }
}
