import Synchronization

/// The time when a store builds the indexes that are not ready: new ones of a store with objects, changed ones, and those whose building broke off.
public enum IndexingPolicy: Sendable, Hashable {
    /// Before the store's initializer returns, so that every index serves every query. This is the usual choice. In a task that is cancelled meanwhile the
    /// initializer throws `CancellationError`; the next opening goes on.
    case beforeOpening
    /// On a separate thread, in small batches between which other writes run. Until an index is ready, queries do without it. Why
    /// building stopped early is ``ObjectStore/indexingError``. Indexes that a change of this store finds it cannot keep are built anew in
    /// the same way, when it is committed.
    case inBackground
    /// When ``ObjectStore/buildIndexes(progress:)`` is called. A way to open a store whose objects break a new unique index.
    case onRequest
}

extension ObjectStore {
    /// Builds all indexes that are not ready, and removes the rest of those that are no longer declared.
    ///
    /// It goes on where an earlier call or a program broke off. Each batch of up to 200,000 records is a transaction of its own, so other writes go on
    /// between them.
    ///
    /// - Parameter progress: called after each batch with the records read; when it throws, building stops with its error, and what was built stays.
    /// - Throws: ``TroveError/uniqueViolation(model:index:values:id:otherID:)`` when two objects have the values of a unique index, after
    ///   the other indexes were built: change or delete one of the objects and call again. `CancellationError` in a task that is cancelled.
    public func buildIndexes(progress: (StoreProgress) throws -> Void = { _ in }) throws {
        try indexBuilder { false }.run(progress)
    }

    /// Builds all indexes that are not ready, on the maintenance thread, which runs one task at a time.
    ///
    /// When the task is cancelled, building stops within the batch that runs, which is taken back, with `CancellationError`.
    public func buildIndexes(progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }) async throws {
        try await buildIndexes(after: 0, progress)
    }

    /// - Parameter completed: how many records have been done already.
    private func buildIndexes(after completed: Int, _ progress: @escaping @Sendable (StoreProgress) throws -> Void) async throws {
        let isCancelled = CancellationFlag()
        let builder = indexBuilder { isCancelled.isSet }
        try await withTaskCancellationHandler {
            try await maintenanceQueue.run { try builder.run(after: completed, progress) }
        } onCancel: {
            isCancelled.set()
        }
    }

    /// Rebuilds all indexes of a model: after ``verify(progress:)`` found damage, or when a derived value's function
    /// changed without a new version.
    ///
    /// Until they are ready, queries do without them. All records are read once before, and their entries made: an index is not given up for one that could
    /// not be built.
    ///
    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)`` for a record that cannot be read, and the error of a derived value's function, before anything
    ///   is changed; delete or change the object and call again; `CancellationError` in a task that is cancelled by then. Otherwise as
    ///   ``buildIndexes(progress:)``.
    public func rebuildIndexes<Object: Model>(
        of type: Object.Type, progress: (StoreProgress) throws -> Void = { _ in }
    ) throws {
        try read { try $0.checkRecords(of: type) }
        let completed = try restartIndexes(of: type)
        try indexBuilder { false }.run(after: completed, progress)
    }

    /// Rebuilds all indexes of a model, on the maintenance thread, which runs one task at a time.
    public func rebuildIndexes<Object: Model>(
        of type: Object.Type, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws {
        let completed = try await maintenanceQueue.run {
            try self.core.read { try $0.checkRecords(of: type) }
            return try self.restartIndexes(of: type)
        }
        try await buildIndexes(after: completed, progress)
    }

    /// Gives the indexes up and builds their beginning, in one transaction: on a disk that has no room for it they stay. Returns how many records that were.
    private func restartIndexes<Object: Model>(of type: Object.Type) throws -> Int {
        do {
            return try write {
                let numbers = try $0.restartIndexes(of: type)
                return try numbers.isEmpty ? 0 : $0.buildIndexes(numbers, batchSize: BatchSize.besideOthers.records) ?? 0
            }
        } catch is UnbuildableIndex {
            // The building tells of it, when the other indexes are built.
            try write { _ = try $0.restartIndexes(of: type) }
            return 0
        }
    }

    private func indexBuilder(_ isCancelled: @escaping @Sendable () -> Bool) -> IndexBuilder {
        IndexBuilder(core: core, durability: durability, batches: .alone, isCancelled: isCancelled)
    }
}

extension ReadTransaction {
    /// Throws when an index could not be built over a record, because it cannot be read or its entries cannot be made.
    fileprivate func checkRecords<Object: Model>(of type: Object.Type) throws {
        let model = try open(type)
        let indexes = try indexTable.bindings(of: model.binding.schema.name)
        var arena = EntryArena()
        try forEachRecordBytes(of: model) { key, record in
            try withRecordView(record, key: key, model) { view in
                for index in indexes { try index.tryEntries(of: view, &arena) }
            }
            return .next
        }
        // Behind the last record, too: what comes next takes indexes from the queries.
        try watch.look()
    }
}

extension IndexBinding {
    /// Makes what an index of a model has of a record, and keeps nothing of it.
    fileprivate func tryEntries(of record: RecordView, _ arena: inout EntryArena) throws {
        if schema.kind.isOfTexts {
            _ = try texts(of: record)
        } else {
            arena.removeAll()
            _ = try appendEntries(of: record, .add, to: &arena)
            if hasGroups { _ = try group(of: record, sign: 1) }
        }
    }
}

extension WriteTransaction {
    /// - Returns: the numbers of the indexes that are to be built.
    fileprivate func restartIndexes<Object: Model>(of type: Object.Type) throws -> Set<Int> {
        try flushIndexes()
        let name = try core.binding(for: type).schema.name
        try restartIndexes(indexTable.entries.filter { $0.modelName == name }.map(\.number), .asked)
        return Set(try indexTable.unbuilt().filter { $0.binding.modelName == name }.map(\.binding.number))
    }
}

/// Carries the news that a task was cancelled to the thread that works for it.
private final class CancellationFlag: Sendable {
    private let flag = Mutex(false)
    var isSet: Bool { flag.withLock { $0 } }
    func set() { flag.withLock { $0 = true } }
}
