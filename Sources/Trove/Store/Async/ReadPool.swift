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
        var workers = 0
    }

    /// How many reads run at the same time.
    static let maxWorkers = max(4, min(16, 2 * ProcessInfo.processInfo.activeProcessorCount))

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "trove.read", attributes: .concurrent)

    /// Runs `body` on one of the threads.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let work = QueuedWork<Result>()
        return try await work.result {
            enqueue {
                if work.start() { work.finish(Swift.Result(catching: body)) }
            }
        }
    }

    private func enqueue(_ job: @escaping @Sendable () -> Void) {
        let needsWorker = state.withLock { state in
            state.jobs.append(job)
            guard state.workers < Self.maxWorkers else { return false }
            state.workers += 1
            return true
        }
        if needsWorker { queue.async { self.work() } }
    }

    private func work() {
        while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            let job = state.jobs.popFirst()
            if job == nil { state.workers -= 1 }
            return job
        }
    }
}
