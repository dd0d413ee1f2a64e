import DequeModule
import Dispatch
import Foundation
import Synchronization

/// A few threads that do asynchronous reads in the order of their arrival.
///
/// Engine calls block, so they must not run on Swift's cooperative threads; and ten thousand tasks that read at
/// once must not become ten thousand threads or reader slots. A read that takes long is counted apart: where reads wait for a thread, it gets one more,
/// up to a bound, so that a few slow queries do not keep all others from the store.
final class ReadPool: Sendable {
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
            regularWorkers = min(count, ReadPool.regularWorkers)
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
            return begun.count { $0.map { now - $0 >= ReadPool.longTime } ?? false }
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
                work.finish(Interruption.$current.withValue(work.interruption) { Swift.Result(catching: body) })
            }
        }
    }

    /// Runs `body` on one of the threads, also when the task is cancelled.
    func runToEnd<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            enqueue { continuation.resume(returning: body()) }
        }
    }

    /// Lets one of the threads run a job.
    func enqueue(_ job: @escaping @Sendable () -> Void) {
        let (worker, needsWatch) = state.withLock { state in
            state.jobs.append(job)
            let worker = state.takeThread()
            defer { if worker == nil { state.isWatched = true } }
            return (worker, worker == nil && !state.isWatched)
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

/// One asynchronous call that waits for a thread, and is resumed exactly once.
final class QueuedWork<Result: Sendable>: Sendable {
    private enum State {
        /// The task has not come to wait yet.
        case new
        /// It waits for a thread; `abandoned` is called when it is cancelled meanwhile.
        case waiting(CheckedContinuation<Result, any Error>, abandoned: (@Sendable () -> Void)?)
        case started(CheckedContinuation<Result, any Error>)
        case ended
    }

    private let state = Mutex(State.new)

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
            let waiting: (CheckedContinuation<Result, any Error>, abandoned: (@Sendable () -> Void)?)? = state.withLock { state in
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
            abandoned?()
            continuation.resume(throwing: CancellationError())
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
    /// - Parameter abandoned: called when the task is cancelled before that thread starts it, which then has nothing to do.
    func waitAgain(abandoned: @escaping @Sendable () -> Void) -> Bool {
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
