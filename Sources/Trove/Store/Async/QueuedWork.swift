import Synchronization

/// One asynchronous call that waits for a thread, and is resumed exactly once.
final class QueuedWork<Result: Sendable>: Sendable {
    private enum State {
        /// The task has not come to wait yet.
        case new
        case waiting(CheckedContinuation<Result, any Error>)
        case started(CheckedContinuation<Result, any Error>)
        case ended
    }

    private let state = Mutex(State.new)

    /// Waits until ``finish(_:)`` is called. A cancelled task throws `CancellationError` unless the work has been started.
    ///
    /// - Parameter enqueue: hands the work to the thread that will do it.
    func result(_ enqueue: () -> Void) async throws -> Result {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if case .ended = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { enqueue() }
            }
        } onCancel: {
            let waiting: CheckedContinuation<Result, any Error>? = state.withLock { state in
                switch state {
                case .new:
                    state = .ended
                    return nil
                case .waiting(let continuation):
                    state = .ended
                    return continuation
                case .started, .ended:
                    return nil
                }
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Marks the work as begun; false when its task was cancelled meanwhile.
    func start() -> Bool {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return false }
            state = .started(continuation)
            return true
        }
    }

    /// Resumes the task with the outcome.
    func finish(_ outcome: sending Swift.Result<Result, any Error>) {
        let continuation: CheckedContinuation<Result, any Error>? = state.withLock { state in
            guard case .started(let continuation) = state else { return nil }
            state = .ended
            return continuation
        }
        continuation?.resume(with: outcome)
    }
}
