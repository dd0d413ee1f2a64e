import Synchronization

/// Lets a task wait until there is something to do. It keeps no count: what is noted while nobody waits is one thing to do.
///
/// One task waits at a time: when another one comes, the first is let go as if there were something to do, rather than left waiting for ever.
package final class WakeUp: Sendable {
    private struct State {
        var isDue: Bool
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    /// - Parameter isDue: whether there is something to do already.
    package init(isDue: Bool) { state = Mutex(State(isDue: isDue)) }

    /// Whether there is something to do.
    var isDue: Bool { state.withLock { $0.isDue } }

    /// Notes that there is something to do, and wakes the task.
    package func note() {
        state.withLock { state in
            state.isDue = true
            return state.waiting.take()
        }?.resume()
    }

    /// Whether there was something to do; from now on there is nothing.
    package func take() -> Bool {
        state.withLock { state in
            defer { state.isDue = false }
            return state.isDue
        }
    }

    /// Returns when there is something to do; what is noted from then on is told again.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func next() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn: CheckedContinuation<Void, Never>? = state.withLock { state in
                    if state.isDue || Task.isCancelled { return continuation }
                    defer { state.waiting = continuation }
                    return state.waiting
                }
                goesOn?.resume()
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume()
        }
        try Task.checkCancellation()
        state.withLock { $0.isDue = false }
    }
}
