import Synchronization

/// One asynchronous write in the queue.
protocol WriteJob: Sendable {
    var durability: Durability { get }
    /// Takes down what the job changes; nil when nobody asked for it.
    var journal: ChangeJournal? { get }
    /// Marks the job as begun, if it is not yet; false when its task was cancelled before.
    func start() -> Bool
    /// Runs a part of the transaction that is the job's alone, with what its task has given to its code: that of hooks and delegates too.
    func running<Part>(_ body: () throws -> Part) rethrows -> Part
    /// Runs the body and keeps its result for ``succeed()``. May be called again after a rollback.
    func perform(_ transaction: WriteTransaction) throws
    /// Resumes the task with the result of the last run.
    func succeed()
    /// Resumes the task with an error.
    func fail(_ error: any Error)
}

/// A job with a result of some type.
final class TypedWriteJob<Result: Sendable>: WriteJob {
    let durability: Durability
    let journal: ChangeJournal?
    let work = QueuedWork<Result>()
    private let body: @Sendable (WriteTransaction) throws -> Result
    private let result = Mutex<Result?>(nil)

    init(_ durability: Durability, journal: ChangeJournal?, _ body: @escaping @Sendable (WriteTransaction) throws -> Result) {
        self.durability = durability
        self.journal = journal
        self.body = body
    }

    func start() -> Bool { work.start() }

    func running<Part>(_ body: () throws -> Part) rethrows -> Part { try work.running(body) }

    func perform(_ transaction: WriteTransaction) throws {
        let value = try body(transaction)
        result.withLock { $0 = value }
    }

    func succeed() {
        if let value = result.withLock({ $0 }) { work.finish(.success(value)) }
    }

    func fail(_ error: any Error) { work.finish(.failure(error)) }
}
