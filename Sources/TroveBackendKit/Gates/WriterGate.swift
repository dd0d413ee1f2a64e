import Dispatch
import Synchronization

/// A fair lock for the one writer of a store: first come, first served, with a bounded wait.
///
/// A backend enters it before it begins the engine's write transaction and leaves it after the end.
public final class WriterGate: Sendable {
    private struct State {
        var owner: ThreadIdentity?
        var waiters: [Waiter] = []
    }

    /// One waiting thread. Ownership is handed over directly, so nobody overtakes.
    private final class Waiter: Sendable {
        let thread = ThreadIdentity.current
        let wake = DispatchSemaphore(value: 0)
    }

    private enum Attempt {
        case ended(GateEntry)
        case wait(Waiter)
    }

    private let state = Mutex(State())

    /// A gate that nobody is in.
    public init() {}

    /// Whether the calling thread is inside the gate.
    public var isHeldByCurrentThread: Bool {
        state.withLock { $0.owner == .current }
    }

    /// How many threads wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Waits for the gate, at most for `timeout`. After ``GateEntry/entered`` the thread must call ``leave()``.
    public func enter(timeout: Duration) -> GateEntry {
        let attempt: Attempt = state.withLock { state in
            if state.owner == .current { return .ended(.alreadyInside) }
            if state.owner == nil {
                state.owner = .current
                return .ended(.entered)
            }
            let waiter = Waiter()
            state.waiters.append(waiter)
            return .wait(waiter)
        }
        switch attempt {
        case .ended(let entry):
            return entry
        case .wait(let waiter):
            if waiter.wake.wait(timeout: .now() + timeout.dispatchInterval) == .success { return .entered }
            return state.withLock { state in
                // The gate may have been handed over between the time-out and here.
                if state.owner == waiter.thread { return .entered }
                state.waiters.removeAll { $0 === waiter }
                return .timedOut
            }
        }
    }

    /// Hands the gate to the thread that has waited longest.
    public func leave() {
        let next: Waiter? = state.withLock { state in
            guard !state.waiters.isEmpty else {
                state.owner = nil
                return nil
            }
            let next = state.waiters.removeFirst()
            state.owner = next.thread
            return next
        }
        next?.wake.signal()
    }
}
