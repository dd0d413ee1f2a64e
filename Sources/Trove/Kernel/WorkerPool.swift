import DequeModule
import Dispatch
import Foundation
import Synchronization

/// A few threads that do asynchronous work in the order of its arrival: reads, the maintenance of a store on one thread, the steps of contexts' saves.
///
/// Engine calls block, so they must not run on Swift's cooperative threads; and ten thousand tasks that read at
/// once must not become ten thousand threads or reader slots. A read that takes long is counted apart: where reads wait for a thread, it gets one more,
/// up to a bound, so that a few slow queries do not keep all others from the store.
final class WorkerPool: Sendable {
    private struct State {
        var jobs: Deque<@Sendable () -> Void> = []
        /// The threads that do nothing now.
        var idle: [Int]
        /// When the thread with this number began the read that it does; nil when it does none.
        var begun: [ContinuousClock.Instant?]
        /// How many reads run at the same time, those that take long not counted.
        let regularWorkers: Int
        /// Whether a look at the reads that take long is to come.
        var isWatched = false

        init(_ count: Int) {
            idle = Array(0..<count)
            begun = Array(repeating: nil, count: count)
            regularWorkers = min(count, WorkerPool.regularWorkers)
        }

        /// Takes a thread for one more read; nil while there are enough.
        mutating func takeThread() -> Int? {
            let busy = begun.count - idle.count
            return busy < regularWorkers + longReads ? idle.popLast() : nil
        }

        /// Whether there are more threads than the reads that run ask for.
        var hasTooMany: Bool { begun.count - idle.count > regularWorkers + longReads }

        private var longReads: Int {
            let now = ContinuousClock.now
            return begun.count { $0.map { now - $0 >= WorkerPool.longTime } ?? false }
        }
    }

    /// How many reads run at the same time, those that take long not counted.
    static let regularWorkers = max(4, min(12, 2 * ProcessInfo.processInfo.activeProcessorCount))
    /// How many reads run at the same time at most: as many as SQLite has connections for, when nothing else is asked for.
    static let maxWorkers = 16
    /// After which time a read is one that takes long.
    private static let longTime = Duration.milliseconds(50)

    private let state: Mutex<State>
    private let watch: DispatchQueue
    /// One serial queue a thread: on Linux concurrent queues share the threads of Swift's tasks, which must not block.
    private let queues: [DispatchQueue]

    /// - Parameters:
    ///   - count: how many threads there are; none is made before it is needed.
    ///   - label: what their names begin with.
    init(_ count: Int = maxWorkers, label: String = "trove.read") {
        state = Mutex(State(count))
        watch = DispatchQueue(label: "\(label).watch")
        queues = (0..<count).map { DispatchQueue(label: "\(label).\($0)") }
    }

    /// Runs `body` on one of the threads.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let work = QueuedWork<Result>()
        return try await work.result {
            enqueue {
                guard work.start() else { return }
                work.finish(work.running { Interruption.$current.withValue(work.interruption) { Swift.Result(catching: body) } })
            }
        }
    }

    /// Runs `body` on one of the threads, also when the task is cancelled.
    func runToEnd<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        let ambient = Ambient.value
        return await withCheckedContinuation { continuation in
            enqueue { continuation.resume(returning: Ambient.having(ambient, body)) }
        }
    }

    /// Lets one of the threads run a job.
    func enqueue(_ job: @escaping @Sendable () -> Void) {
        let (worker, needsWatch) = state.withLock { state in
            state.jobs.append(job)
            let worker = state.takeThread()
            // A pool of one thread has none to give to those that wait.
            let needsWatch = worker == nil && !state.isWatched && state.begun.count > 1
            if needsWatch { state.isWatched = true }
            return (worker, needsWatch)
        }
        if let worker { queues[worker].async { self.work(worker) } }
        if needsWatch { scheduleLook() }
    }

    private func scheduleLook() {
        watch.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in self?.look() }
    }

    /// Gives reads that wait a thread for each of those that take long.
    private func look() {
        let (workers, goesOn) = state.withLock { state in
            var workers: [Int] = []
            while workers.count < state.jobs.count, let worker = state.takeThread() { workers.append(worker) }
            state.isWatched = !state.jobs.isEmpty
            return (workers, state.isWatched)
        }
        for worker in workers { queues[worker].async { self.work(worker) } }
        if goesOn { scheduleLook() }
    }

    private func work(_ worker: Int) {
        while let job = next(worker) { job() }
    }

    private func next(_ worker: Int) -> (@Sendable () -> Void)? {
        let (job, needsWatch) = state.withLock { state in
            state.begun[worker] = nil
            // A thread that came for a long read goes when there are as many without it.
            let isOneTooMany = state.hasTooMany
            let job = isOneTooMany ? nil : state.jobs.popFirst()
            if job == nil { state.idle.append(worker) } else { state.begun[worker] = .now }
            let needsWatch = isOneTooMany && !state.jobs.isEmpty && !state.isWatched
            if needsWatch { state.isWatched = true }
            return (job, needsWatch)
        }
        if needsWatch { scheduleLook() }
        return job
    }
}
