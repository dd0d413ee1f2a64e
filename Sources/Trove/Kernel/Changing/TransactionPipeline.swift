import Synchronization

/// The way of all changes of a write transaction: it has a ``ModelPipeline`` for each model that changes.
///
/// It lives as long as its transaction, savepoints included, and so do the pipelines it gives out: what becomes of the catalogue meanwhile
/// shows in them.
final class TransactionPipeline {
    private unowned let transaction: WriteTransaction
    private var models: [String: ModelPipeline] = [:]
    /// How many batches run, one inside the other.
    private(set) var batchDepth = 0
    /// About how many bytes the noted changes of all models take.
    private var bufferedSize = 0

    init(_ transaction: WriteTransaction) {
        self.transaction = transaction
    }

    var isInBatch: Bool { batchDepth > 0 }

    /// What changes of a model go through; nil when nothing follows from them.
    func pipeline(of model: ModelBinding) throws -> ModelPipeline? {
        if let pipeline = models[model.schema.name] { return pipeline }
        let table = try transaction.indexTable
        let observed = transaction.changes.changes(of: model.schema.name)
        let hasAnnexes = table.hasAnnexes(model.schema.name)
        guard
            try observed != nil || transaction.journal != nil || transaction.tells(of: model.schema.name) || model.validate != nil || hasAnnexes
                || table.concerns(model.schema.name) || transaction.keepsHistory(of: model.schema.name)
        else { return nil }
        let pipeline = try ModelPipeline(model, transaction, self, observed: observed, hasAnnexes: hasAnnexes)
        try pipeline.load(table)
        models[model.schema.name] = pipeline
        return pipeline
    }

    /// What changes of records go through whose model the program does not have.
    func pipeline(ofUnknown modelName: String, hasAnnexes: Bool) throws -> ModelPipeline {
        if let pipeline = models[modelName] { return pipeline }
        let pipeline = try ModelPipeline(unknown: modelName, transaction, self, hasAnnexes: hasAnnexes)
        models[modelName] = pipeline
        return pipeline
    }

    /// Lets another journal take changes down from now on; nil for none.
    func follow(_ journal: ChangeJournal?) {
        for pipeline in models.values { pipeline.follow(journal) }
    }

    /// Runs changes that are judged together when all have been made.
    func batch(_ body: () throws -> Void) throws {
        batchDepth += 1
        defer { batchDepth -= 1 }
        try body()
        guard batchDepth == 1 else { return }
        try transaction.follower?.endBatch()
        for pipeline in models.values { try pipeline.endBatch() }
    }

    /// Takes note of how much memory a model's changes take now, and writes all when it is much.
    func noteSize(_ difference: Int) throws {
        bufferedSize += difference
        if bufferedSize > transaction.core.maxBufferedIndexSize.load(ordering: .relaxed) { try flush(insideBatch: isInBatch) }
    }

    /// Writes all that is noted.
    func flush(insideBatch: Bool) throws {
        bufferedSize = 0
        if try transaction.writer.prefetches { for pipeline in models.values { try pipeline.announce() } }
        for (_, pipeline) in models.sorted(by: { $0.key < $1.key }) { bufferedSize += try pipeline.flush(insideBatch: insideBatch) }
    }

    /// The numbers of a model's unique indexes of which a batch has noted changes that are not written, since only its end may decide who has the values.
    func waitingIndexes(of modelName: String) -> Set<Int> {
        guard isInBatch, let model = models[modelName], model.hasUnique else { return [] }
        return Set(model.maintainers.lazy.filter { $0.binding.schema.isUnique && $0.bufferedSize > 0 }.map(\.binding.number))
    }

    /// Forgets all that is noted, after the engine rolled back to a savepoint, before which everything was written.
    func rollBack() throws {
        bufferedSize = 0
        for pipeline in models.values { pipeline.discard() }
        try reload()
    }

    /// Makes indexes be built from the start, since what changes in them cannot be told.
    func restart(_ numbers: [Int], _ reason: IndexCatalogueEntry.Rebuilding) throws {
        try IndexDirectory.change(transaction.writer) { directory, entries in
            for number in numbers { try entries.restart(number, &directory, reason) }
        }
        // It waits until this transaction has ended.
        transaction.core.backgroundIndexing.start(transaction.core)
        try reload()
    }

    /// Takes over the indexes as the catalogue has them now.
    func reload() throws {
        transaction.forgetIndexes()
        let table = try transaction.indexTable
        for pipeline in models.values { try pipeline.load(table) }
    }
}

extension WriteTransaction {
    /// Makes indexes be built from the start.
    func restartIndexes(_ numbers: [Int], _ reason: IndexCatalogueEntry.Rebuilding) throws {
        if let pipeline { return try pipeline.restart(numbers, reason) }
        try IndexDirectory.change(writer) { directory, entries in
            for number in numbers { try entries.restart(number, &directory, reason) }
        }
        forgetIndexes()
    }
}

/// What a layer above the kernel does in a write transaction because of what changed in it, as relationships bring inverses in step.
protocol TransactionFollower: AnyObject {
    /// Whether something was noted that ``endBatch()`` has to deal with.
    var hasUnfinishedWork: Bool { get }

    /// Does what follows from a change that stands for itself, of one record or of many.
    func endBatch() throws

    /// Begins a savepoint, after what follows from earlier changes has been done.
    func beginSavepoint() throws -> any FollowerMark

    /// Forgets what was noted since a mark, nil for the start, after the engine has rolled back to it.
    func rollBack(to mark: (any FollowerMark)?)

    /// Does all that is left to do of what was noted since a mark, nil for the start.
    func settle(since mark: (any FollowerMark)?) throws
}

/// How far a follower's notes had come when a savepoint began.
protocol FollowerMark {}

/// Tells an open store's transactions what follows their changes.
protocol ChangeFollowing: Sendable {
    /// What has to be told the changes of a model's records; nil when nothing follows from them.
    func listener(for model: ModelBinding, in transaction: WriteTransaction) throws -> (any ChangeListener)?

    /// Whether a model has a function of its own that is asked when one of its objects is deleted.
    func asksObjects(of model: any Model.Type) -> Bool
}
