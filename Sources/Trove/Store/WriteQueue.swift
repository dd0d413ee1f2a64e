import DequeModule
import Dispatch
import Synchronization
import TroveBackendKit

/// The writer thread of a store, which commits asynchronous writes in groups.
///
/// While one group is being committed the next one gathers; so a lone task pays for its own sync of the disk, and
/// many tasks share one. This is group commit as in DeWitt et al., "Implementation Techniques for Main Memory
/// Database Systems", 1984.
final class WriteQueue: Sendable {
    struct State {
        var jobs: Deque<any WriteJob> = []
        var isRunning = false
        /// The writer thread, while it runs.
        var writer: ThreadIdentity?
        /// Whether a transaction of the writer thread is waited for or runs.
        var isInTransaction = false
    }

    /// Bounds the time that the first job of a group waits for the last.
    private static let maxGroup = 1_024

    let core: StoreCore
    let state = Mutex(State())
    /// How many of the next groups have savepoints.
    let carefulGroups = Mutex(0)
    private let queue = DispatchQueue(label: "trove.write")

    init(_ core: StoreCore) {
        self.core = core
    }

    /// Whether this thread is the writer thread, for which others wait.
    var isWriterThread: Bool { state.withLock { $0.writer == .current } }

    /// Whether a transaction of the writer thread is waited for or runs.
    var isInTransaction: Bool { state.withLock { $0.isInTransaction } }

    /// Runs `body` in a transaction on the writer thread and returns when it is committed.
    ///
    /// - Parameter journal: takes down what `body` changes, and what follows from it.
    func run<Result: Sendable>(
        _ durability: Durability, journal: ChangeJournal? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Result
    ) async throws -> Result {
        let job = TypedWriteJob(durability, journal: journal, body)
        return try await job.work.result { enqueue(job) }
    }

    /// How many jobs wait for their group.
    var waitingCount: Int { state.withLock { $0.jobs.count } }

    /// Lets the writer thread run a job in one of the next transactions.
    func enqueue(_ job: any WriteJob) {
        let mustStart = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { queue.async { self.drain() } }
    }

    private func drain() {
        state.withLock { $0.writer = .current }
        while let group = nextGroup() {
            commit(group)
        }
    }

    private func nextGroup() -> [any WriteJob]? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isRunning = false
                state.writer = nil
                return nil
            }
            let group = Array(state.jobs.prefix(Self.maxGroup))
            state.jobs.removeFirst(group.count)
            return group
        }
    }
}
