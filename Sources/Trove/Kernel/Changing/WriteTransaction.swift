/// One atomic change of a store, inside the closure of ``ObjectStore/write(_:_:)``.
///
/// ```swift
/// try store.write { transaction in
///     try transaction.save(songs)
///     try transaction.delete(Song.self, id: old)
/// }
/// ```
///
/// When the closure throws, nothing of it is stored. It may run more than once, see
/// ``StorageBackend/write(_:_:)``. The transaction reads its own changes.
public final class WriteTransaction: ReadTransaction {
    private let storage: any StorageWriter
    /// The error of a change that failed half-way; the transaction can only roll back then.
    private var failure: (any Error)?
    /// The way of all changes; nil while nothing follows from any.
    private(set) var pipeline: TransactionPipeline?
    /// Which observers what was done so far concerns.
    let changes: ChangeTracker
    /// Takes down every record that changes; nil when nobody asked for it.
    private(set) var journal: ChangeJournal?
    /// What the store's audience is to be told; nil when there is none, or it is not to be told.
    private(set) var notes: ChangeNotes?
    /// Whether the changes are told, and not only looked at.
    let isTold: Bool
    /// Whether objects are asked before they are written.
    var validation: ValidationState
    /// What a layer above does because of the changes, once there may be something.
    var follower: (any TransactionFollower)?
    var recordRead = RecordRead()
    /// What has the bytes of annexes that records have which are being stored.
    var offers = AnnexOffers()
    /// The memory in which the last document was encoded, for the next.
    private var documentBuffer: RecordBuffer?
    /// How many changes of records there have been, those that were undone included.
    var changeNumber = 0
    /// The date that the saves of the transaction are given, which is one for all.
    private(set) lazy var saveDate = core.clock.now
    /// Tells the transaction from others, for those who keep this beyond its end: a later one may lie in the same memory.
    private(set) lazy var identity = TransactionIdentity()
    /// Objects that are to be stored by the end of the transaction, since others hold them that were saved.
    var heldObjects = HeldObjectNotes()
    /// Who makes the changes, for the store's history; nil for the author that the store was opened with, if any. It counts for all changes of the transaction.
    ///
    /// ```swift
    /// try store.write { transaction in
    ///     transaction.author = "import"
    ///     try transaction.save(songs)
    /// }
    /// ```
    public var author: String?
    /// What keeps the changes in the store's history, once there was one to keep.
    var openHistory: HistoryWriter?
    /// Whether records are written anew whose values stay.
    var isRewriting = false
    /// What is to be done when the transaction is committed.
    private var commitActions: [() -> Void] = []

    /// - Parameter isTold: false for a transaction whose changes are only looked at.
    init(_ core: StoreCore, _ writer: any StorageWriter, journal: ChangeJournal? = nil, isTold: Bool = true) {
        storage = writer
        self.journal = journal
        changes = ChangeTracker(core.observers)
        notes = isTold ? core.audience.notes() : nil
        self.isTold = isTold
        validation = ValidationState(isOn: isTold)
        super.init(core, writer)
    }

    /// Calls `body` with a buffer, which keeps its memory for the next call.
    func withDocumentBuffer(_ body: (inout RecordBuffer) throws -> Void) rethrows {
        // A delegate may save inside of a save, which then takes a buffer of its own.
        var buffer = documentBuffer.take() ?? RecordBuffer()
        try body(&buffer)
        documentBuffer = consume buffer
    }

    /// Tells one more delegate of this transaction's changes, before the store's. Of a transaction that has changed nothing yet: of a model that was
    /// changed before it may hear nothing.
    package func addDelegate(_ delegate: any StoreDelegate) {
        if let notes { notes.add(delegate) } else { notes = ChangeNotes(delegate, core.audience) }
    }

    /// The engine's side of the transaction.
    var writer: any StorageWriter {
        get throws {
            _ = try reader
            if let failure { throw TroveError.transactionPoisoned(by: failure) }
            return storage
        }
    }

    /// Runs a change of several records, which unique indexes judge by its end; when it throws, what it has done so far must not be committed.
    @usableFromInline func batch(_ body: () throws -> Void) throws {
        try change {
            try openPipeline().batch(body)
        }
    }

    /// Runs a change of several steps; when it throws, what it has done so far must not be committed.
    func change(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            if failure == nil { failure = error }
            throw error
        }
    }

    /// Throws when a change failed half-way and the error was swallowed, and when an object was saved without what it holds.
    func checkBeforeCommit() throws {
        try settle(since: nil)
        if !heldObjects.isEmpty { try checkHeldObjects() }
        try openHistory?.endEntry()
    }

    /// Does what is left of the changes since a mark.
    private func settle(since mark: (any FollowerMark)?) throws {
        if let failure { throw TroveError.transactionPoisoned(by: failure) }
        try follower?.settle(since: mark)
        try writeIndexes()
    }

    /// Ends a part of the transaction that stands for itself: does what follows from its changes. What indexes have noted waits for the end.
    func endPart() throws {
        if let failure { throw TroveError.transactionPoisoned(by: failure) }
        try follower?.settle(since: nil)
        if !heldObjects.isEmpty { try checkHeldObjects() }
        try openHistory?.endEntry()
        author = nil
    }

    /// Lets `action` run after the transaction was committed, unless what was done since the last savepoint began is undone. It
    /// must not throw, nor wait for a transaction.
    func whenCommitted(_ action: @escaping () -> Void) { commitActions.append(action) }

    /// Wakes observers, runs what waits for the commit, and tells the audience.
    func didCommit() {
        changes.commit()
        if openHistory?.hasWritten == true { core.observers.signalHistory() }
        for action in commitActions { action() }
        if let notes {
            notes.didCommit()
        } else if isTold, core.audience.hasReaders {
            // They came while the transaction ran, and may have read the state before it.
            core.audience.noteUnseen(after: 0)
        }
    }

    /// Runs `body`, whose changes a journal of its own takes down; nil leaves it to the one there is.
    func withJournal<Result>(_ other: ChangeJournal?, _ body: () throws -> Result) throws -> Result {
        guard let other else { return try body() }
        let outer = journal
        func use(_ journal: ChangeJournal?) {
            self.journal = journal
            pipeline?.follow(journal)
            // Models of which nothing had to follow may be open without a pipeline.
            forgetModels()
        }
        other.removeAll()
        use(other)
        defer { use(outer) }
        return try body()
    }

    override var openHistoryNumber: UInt64? { openHistory?.openNumber }

    override func flushIndexes() throws {
        // Unique indexes judge a batch by its end, whoever reads in it; until then queries do without those that have something to judge.
        if let pipeline { try pipeline.flush(insideBatch: pipeline.isInBatch) }
    }

    /// Writes all that is noted of indexes; inside of a batch unique ones judge what it has come to.
    func writeIndexes() throws { try pipeline?.flush(insideBatch: false) }

    override func waitingIndexes(of modelName: String) -> Set<Int> { pipeline?.waitingIndexes(of: modelName) ?? [] }

    override func annexProvider(of id: AnnexID) -> (any AnnexProvider)? { offers[id] }

    override func pipeline(of model: ModelBinding) throws -> ModelPipeline? {
        // Nothing is made for models with neither indexes nor observers in a transaction without a journal, of which there are many small transactions.
        let isObserved = changes.changes(of: model.schema.name) != nil
        guard
            try isObserved || journal != nil || tells(of: model.schema.name) || model.validate != nil || pipeline != nil
                || indexTable.concerns(model.schema.name) || indexTable.hasAnnexes(model.schema.name) || keepsHistory(of: model.schema.name)
        else { return nil }
        return try openPipeline().pipeline(of: model)
    }

    func openPipeline() -> TransactionPipeline {
        if let pipeline { return pipeline }
        let made = TransactionPipeline(self)
        pipeline = made
        return made
    }

    /// Runs `body`; when it throws, undoes its changes and throws the same error, leaving the transaction usable.
    ///
    /// Savepoints nest.
    @discardableResult
    public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        let writer = try writer
        // A rollback forgets what is noted in memory, so what belongs to the time before must be written by then.
        let followerMark = try follower?.beginSavepoint()
        try writeIndexes()
        let journalMark = journal?.mark
        let notesMark = notes?.mark
        let actionCount = commitActions.count
        let heldBefore = heldObjects
        let historyMark = try openHistory?.mark()
        let authorBefore = author
        do {
            return try writer.savepoint {
                let result = try body()
                try settle(since: followerMark)
                return result
            }
        } catch {
            changeNumber &+= 1
            forgetModels()
            forgetIndexes()
            follower?.rollBack(to: followerMark)
            commitActions.removeSubrange(actionCount...)
            heldObjects = heldBefore
            openHistory?.rollBack(to: historyMark ?? nil)
            author = authorBefore
            if let journalMark { journal?.rollBack(to: journalMark) }
            if let notesMark { notes?.rollBack(to: notesMark) }
            // The transaction was sound when the savepoint began and is so again,
            failure = nil
            do {
                try pipeline?.rollBack()
            } catch {
                // unless what keeps the indexes cannot be brought back to that time.
                failure = error
            }
            throw error
        }
    }

    /// Makes room for the store's first bag.
    private func registerBags() throws {
        try core.bags.register(writer)
        if let pipeline { try pipeline.reload() } else { forgetIndexes() }
    }

    /// The model, whose records are to be replaced.
    ///
    /// - Throws: ``TroveError/changedByAnotherProgram(model:reason:)``.
    @usableFromInline func openForChanging(_ type: any Model.Type) throws -> OpenModel {
        let model = try open(type)
        try indexTable.checkSaving(model.binding.schema.name)
        return model
    }

    /// The model with its keyspace, which is made when there is none.
    ///
    /// - Throws: ``TroveError/changedByAnotherProgram(model:reason:)``.
    @usableFromInline func openForSaving(_ type: any Model.Type) throws -> OpenModel {
        let writer = try writer
        let model = try openForChanging(type)
        if model.keyspace != nil { return model }
        if model.binding === core.bags.binding { try registerBags() }
        _ = try writer.createKeyspace(named: model.binding.schema.name)
        return try open(type)
    }
}

/// Which transaction it was.
final class TransactionIdentity: Sendable {}
