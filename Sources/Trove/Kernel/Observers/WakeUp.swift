import Synchronization

/// Lets a task wait until there is something to do. It keeps no count: what is noted while nobody waits is one thing to do.
/// Of several tasks that wait each is woken.
package final class WakeUp: Sendable {
    private struct State {
        var isDue: Bool
        var waiting: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var lastNumber = 0
    }

    private let state: Mutex<State>

    /// - Parameter isDue: whether there is something to do already.
    package init(isDue: Bool) { state = Mutex(State(isDue: isDue)) }

    /// Whether there is something to do.
    var isDue: Bool { state.withLock { $0.isDue } }

    /// Notes that there is something to do, and wakes the task.
    package func note() {
        let waiting = state.withLock { state in
            defer { (state.isDue, state.waiting) = (true, []) }
            return state.waiting
        }
        for task in waiting { task.continuation.resume() }
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
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isDue || Task.isCancelled { return true }
                    state.waiting.append((number, continuation))
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let own = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            own?.resume()
        }
        try Task.checkCancellation()
        state.withLock { $0.isDue = false }
    }
}
