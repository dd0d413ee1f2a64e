/// The outcome of waiting for a gate.
public enum GateEntry: Sendable, Hashable {
    /// The calling thread holds the gate and must leave it.
    case entered
    /// The calling thread is already inside the gate in a way that forbids this entry; it would wait for ever.
    case alreadyInside
    /// The wait was longer than the timeout.
    case timedOut
}
