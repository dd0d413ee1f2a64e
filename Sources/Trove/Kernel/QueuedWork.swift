import Synchronization

/// One asynchronous call that waits for a thread, and is resumed exactly once.
final class QueuedWork<Result: Sendable>: Sendable {
    /// Ends work that was begun and is cancelled, and then calls what it is given, which resumes the task.
    typealias Abandoned = @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void

    private enum State {
        /// The task has not come to wait yet.
        case new
        /// It waits for a thread; `abandoned` is called when it is cancelled meanwhile.
        case waiting(CheckedContinuation<Result, any Error>, abandoned: Abandoned?)
        case started(CheckedContinuation<Result, any Error>)
        case ended
    }

    private let state = Mutex(State.new)
    /// That of the task.
    private let ambient = Ambient.value

    /// Runs a part of the work, on whichever thread, with what the task has given to its code.
    func running<Part>(_ body: () throws -> Part) rethrows -> Part { try Ambient.having(ambient, body) }

    /// Waits until ``finish(_:)`` is called. A cancelled task throws `CancellationError` unless the work has been started; the work itself
    /// learns of it from ``interruption``.
    ///
    /// - Parameter enqueue: hands the work to the thread that will do it.
    func result(_ enqueue: () -> Void) async throws -> Result {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if case .ended = state { return true }
                    state = .waiting(continuation, abandoned: nil)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { enqueue() }
            }
        } onCancel: {
            let waiting: (CheckedContinuation<Result, any Error>, abandoned: Abandoned?)? = state.withLock { state in
                switch state {
                case .new:
                    state = .ended
                    return nil
                case .waiting(let continuation, let abandoned):
                    state = .ended
                    return (continuation, abandoned)
                case .started:
                    interruption.raise()
                    return nil
                case .ended:
                    return nil
                }
            }
            guard let (continuation, abandoned) = waiting else { return }
            guard let abandoned else { return continuation.resume(throwing: CancellationError()) }
            abandoned { continuation.resume(throwing: CancellationError()) }
        }
    }

    /// Tells the work when its task is cancelled after it was begun.
    let interruption = Interruption()

    /// Marks the work as begun, if it is not yet; false when its task was cancelled before.
    func start() -> Bool {
        state.withLock { state in
            switch state {
            case .waiting(let continuation, _):
                state = .started(continuation)
                return true
            case .started: return true
            case .new, .ended: return false
            }
        }
    }

    /// Lets work that has been started wait for another thread, which starts it again; false when its task was cancelled meanwhile, and it is still started.
    ///
    /// - Parameter abandoned: called when the task is cancelled before that thread starts it, which then has nothing to do; it resumes the task.
    func waitAgain(abandoned: @escaping Abandoned) -> Bool {
        state.withLock { state in
            guard case .started(let continuation) = state, !interruption.isRaised else { return false }
            state = .waiting(continuation, abandoned: abandoned)
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
