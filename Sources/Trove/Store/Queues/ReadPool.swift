import DequeModule
import Dispatch
import Foundation
import Synchronization

/// A few threads that do asynchronous reads in the order of their arrival.
///
/// Engine calls block, so they must not run on Swift's cooperative threads; and ten thousand tasks that read at
/// once must not become ten thousand threads or reader slots.
final class ReadPool: Sendable {
    private struct State {
        var jobs: Deque<@Sendable () -> Void> = []
        /// The threads that do nothing now.
        var idle: [Int]
    }

    /// How many reads run at the same time.
    static let maxWorkers = max(4, min(16, 2 * ProcessInfo.processInfo.activeProcessorCount))

    private let state: Mutex<State>
    /// One serial queue a thread: on Linux concurrent queues share the threads of Swift's tasks, which must not block.
    private let queues: [DispatchQueue]

    /// - Parameters:
    ///   - count: how many threads there are; none is made before it is needed.
    ///   - label: what their names begin with.
    init(_ count: Int = maxWorkers, label: String = "trove.read") {
        state = Mutex(State(idle: Array(0..<count)))
        queues = (0..<count).map { DispatchQueue(label: "\(label).\($0)") }
    }

    /// Runs `body` on one of the threads.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let work = QueuedWork<Result>()
        return try await work.result {
            enqueue {
                if work.start() { work.finish(Swift.Result(catching: body)) }
            }
        }
    }

    /// Runs `body` on one of the threads, also when the task is cancelled.
    func runToEnd<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            enqueue { continuation.resume(returning: body()) }
        }
    }

    private func enqueue(_ job: @escaping @Sendable () -> Void) {
        let worker = state.withLock { state in
            state.jobs.append(job)
            return state.idle.popLast()
        }
        if let worker { queues[worker].async { self.work(worker) } }
    }

    private func work(_ worker: Int) {
        while let job = next(worker) { job() }
    }

    private func next(_ worker: Int) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let job = state.jobs.popFirst()
            if job == nil { state.idle.append(worker) }
            return job
        }
    }
}

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
