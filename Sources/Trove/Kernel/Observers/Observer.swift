import Synchronization

/// One consumer that waits for commits which touch what its query reads.
///
/// It keeps no commits, only whether there was one since it last read: a slow consumer gets the newest state and never a backlog.
final class Observer: Sendable {
    /// By the stored names of the models that the query reads: a commit matters when it changed an object that passed the filter before or passes it now.
    let filters: [String: CompiledFilter]
    /// A first reading is always due.
    let wakeUp = WakeUp(isDue: true)

    init(filters: [String: CompiledFilter]) {
        self.filters = filters
    }

    /// Notes that there is something to read, and wakes the consumer.
    func signal() { wakeUp.note() }

    /// Returns when there is something to read.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait() async throws { try await wakeUp.next() }
}

/// Lets one task wait until there is something to do. It keeps no count: what is noted while nobody waits is one thing to do.
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
                let goesOn = state.withLock { state in
                    if state.isDue || Task.isCancelled { return true }
                    state.waiting = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume()
        }
        try Task.checkCancellation()
        state.withLock { $0.isDue = false }
    }
}
