/// How waiting for a gate ended.
public enum GateEntry: Sendable, Hashable {
    /// The calling thread holds the gate and must leave it.
    case entered
    /// The calling thread is inside the gate already in a way that forbids this entry; waiting would be for ever.
    case alreadyInside
    /// The wait was longer than the timeout.
    case timedOut
}
