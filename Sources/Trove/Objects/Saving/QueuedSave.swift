import Synchronization

/// An asynchronous save of a context.
///
/// It goes from a thread of the contexts to the writer thread and back by itself. The task is resumed only when all is done, so that the save ends also while
/// every thread of Swift's tasks is blocked by synchronous calls that wait for it.
final class QueuedSave: WriteJob {
    let durability: Durability
    private let context: ObjectContext
    private let addition: (@Sendable (WriteTransaction) throws -> Void)?
    private let preparing: @Sendable () throws -> Void
    /// What `preparing` has done that a save which fails takes back.
    private let own: OwnChanges?
    private let changes = ChangeJournal()
    private let work: QueuedWork<FinishedSave>
    /// What the tries before this one have settled.
    private let settled: [OwnChanges]
    /// What is to be saved, once it is taken.
    private let cut = Mutex<ChangeCut?>(nil)
    /// What the last run of the transaction made of it.
    private let outcome = Mutex<SaveOutcome?>(nil)

    /// - Parameters:
    ///   - addition: what the transaction does after the save.
    ///   - own: what `preparing` notes there is taken back when the save fails, before the next operation has its turn.
    ///   - preparing: runs first, on a thread that may wait.
    init(
        _ context: ObjectContext, _ durability: Durability, _ addition: (@Sendable (WriteTransaction) throws -> Void)?,
        own: OwnChanges?, preparing: @escaping @Sendable () throws -> Void
    ) {
        self.context = context
        self.durability = durability
        self.addition = addition
        self.own = own
        self.preparing = preparing
        (work, settled) = (QueuedWork(), [])
    }

    /// The next try of a save whose violation of unique values is settled, with its turn.
    private init(after former: QueuedSave, _ more: OwnChanges) {
        (context, durability, addition, own) = (former.context, former.durability, former.addition, former.own)
        (work, settled) = (former.work, former.settled + [more])
        preparing = {}
    }

    /// Waits for the save's turn among the context's operations, and for its end.
    ///
    /// - Throws: what the save throws; `CancellationError` when the task is cancelled before the transaction begins.
    func run() async throws -> FinishedSave {
        try await work.result { context.operations.enter { self.onThread { self.prepare() } } }
    }

    private func onThread(_ body: @escaping @Sendable () -> Void) { context.core.contexts.pool.enqueue { [work] in work.running(body) } }

    private func prepare() {
        let operations = context.operations
        guard work.start() else { return operations.leave() }
        do {
            let cut = try Interruption.$current.withValue(work.interruption) {
                try operations.holding {
                    try preparing()
                    return try context.prepareCut()
                }
            }
            if cut.isEmpty, addition == nil { return finish(SaveOutcome(cut)) }
            self.cut.withLock { $0 = cut }
            // A task that is cancelled while the save waits for the writer thread does not keep the context's turn until then.
            guard work.waitAgain(abandoned: { resume in self.onThread { self.abandon(resume) } }) else { throw CancellationError() }
            context.store.writeQueue.enqueue(self)
        } catch {
            fail(error)
        }
    }

    /// It is committed: whatever becomes of the task, its objects are brought up to it.
    private func finish(_ outcome: SaveOutcome) {
        end(.success(context.operations.holding { context.finishSave(outcome) }))
    }

    /// The task learns of it when the context is as without the save.
    private func abandon(_ resume: @Sendable () -> Void) {
        giveUp()
        context.operations.leave()
        resume()
    }

    /// Makes the context as it was before the save, while it still has its turn: no other save has its objects.
    private func giveUp() {
        context.operations.holding {
            context.saveFailed()
            context.takeBack(settled)
            if let own { context.takeBack(own) }
        }
    }

    /// Settles what the save has failed with; nil when it fails for good.
    private func settle(_ error: any Error) -> OwnChanges? {
        context.operations.holding {
            context.saveFailed()
            return context.unify(after: error, changes, own, settled)
        }
    }

    private func end(_ result: Result<FinishedSave, any Error>) {
        context.operations.leave()
        work.finish(result)
    }

    // MARK: On the writer thread

    var journal: ChangeJournal? { changes }

    func start() -> Bool { work.start() }

    func running<Part>(_ body: () throws -> Part) rethrows -> Part { try work.running(body) }

    func perform(_ transaction: WriteTransaction) throws {
        guard let cut = cut.withLock({ $0 }) else { return }
        let outcome = try context.write(cut, transaction, changes, addition)
        self.outcome.withLock { $0 = outcome }
    }

    func succeed() {
        guard let outcome = outcome.withLock({ $0 }) else { return }
        onThread { self.finish(outcome) }
    }

    func fail(_ error: any Error) {
        // The writer thread neither waits for a context's lock, which somebody may hold who waits for the writer, nor reads for a context.
        onThread {
            if let settled = self.settle(error) { return QueuedSave(after: self, settled).prepare() }
            self.giveUp()
            self.end(.failure(error))
        }
    }
}
