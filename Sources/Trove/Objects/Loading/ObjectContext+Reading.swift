extension ObjectContext: AsyncObjectSource {
    /// Runs `body` on a snapshot of the store with the context's pending changes applied, and returns its result.
    ///
    /// Objects that are fetched from the transaction are the context's. Without pending changes it is a plain read; with some, a transaction that
    /// does them and is taken back. Fetches of the context inside of it see this same view, without changes that are made meanwhile.
    ///
    /// - Throws: what `body` throws; what a save would throw, when pending changes cannot be saved.
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        try read(includingPendingChanges: true, body)
    }

    /// Runs `body` on a snapshot; pending changes are applied only when they can affect the query.
    public func _read<Result>(_ scope: _QueryScope, _ body: (ReadTransaction) throws -> Result) throws -> Result {
        try read(includingPendingChanges: activeTransaction == nil && pendingChangesConcern(scope.draft), body)
    }

    public func _onReader<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result { try await store.readPool.run(body) }

    /// Runs `body` on a snapshot of the store with the context's pending changes applied, on a reader thread; see ``read(_:)``.
    ///
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before a thread is free.
    public func read<Result: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Result) async throws -> Result {
        try await _onReader { try self.read(body) }
    }

    /// The store without this context's pending changes; the objects found are still the context's own and show their unsaved values.
    ///
    /// ```swift
    /// let count = try context.saved.fetch(Song.self).count()
    /// ```
    public var saved: SavedObjects { SavedObjects(context: self) }

    /// A query for the objects of a type, with or without the context's pending changes.
    public func fetch<Object: Model>(_ type: Object.Type, includesPendingChanges: Bool) -> Fetch<Object, SavedObjects> {
        Fetch(source: SavedObjects(context: self, includesPendingChanges: includesPendingChanges))
    }

    func read<Result>(includingPendingChanges: Bool, _ body: (ReadTransaction) throws -> Result) throws -> Result {
        if let active = activeTransaction { return try body(active) }
        let reading = ContextReading(self)
        let cut = includingPendingChanges ? try takeCut() : ChangeCut()
        (reading.derivation, reading.outdatedCount) = (cut.derivation, cut.outdatedCount)
        let result: Result
        do {
            result = try cut.isEmpty ? readStored(reading, body) : readPending(cut, reading, body)
        } catch {
            // What was loaded stays loaded, whatever `body` found, whose error is the one that counts.
            do {
                try reading.finish()
            } catch let second {
                // That nobody waits any more is no fault. What is not up to date yet stays provisional.
                if !(second is CancellationError) { domain.withLock { noteFault(second) } }
            }
            throw error
        }
        try reading.finish()
        return result
    }

    /// The transaction of the read that this thread is in; nil when it is in none.
    var activeTransaction: ReadTransaction? {
        readings.withLock { $0[.current]?.transaction }
    }

    /// The read that this thread is in; nil when it is in none.
    var activeReading: ContextReading? { readings.withLock { $0[.current]?.reading } }

    private func readStored<Result>(_ reading: ContextReading, _ body: (ReadTransaction) throws -> Result) throws -> Result {
        try core.read { try run(body, $0, reading) }
    }

    private func readPending<Result>(
        _ cut: ChangeCut, _ reading: ContextReading, _ body: (ReadTransaction) throws -> Result
    ) throws -> Result {
        if core.isWriting { throw insideTransaction("show unsaved changes") }
        let journal = ChangeJournal()
        return try cut.tryOut(in: core, journal: journal) { transaction in
            reading.pending = PendingChanges(journal.changes, of: cut, classes)
            return try run(body, transaction, reading)
        }
    }

    private func run<Result>(
        _ body: (ReadTransaction) throws -> Result, _ transaction: ReadTransaction, _ reading: ContextReading
    ) throws -> Result {
        let active = ActiveReading(reading: reading, transaction: transaction)
        readings.withLock { $0[.current] = active }
        transaction.reading = Unmanaged.passUnretained(reading)
        reading.transaction = transaction
        defer {
            transaction.reading = nil
            reading.transaction = nil
            readings.withLock { $0[.current] = nil }
        }
        return try body(transaction)
    }

    /// Deals with the objects that a read made, after it.
    ///
    /// - Parameter touched: those that show what pending changes of others do to them.
    func didRead(_ loaded: [any LiveModel], touched: [DerivedObject], by reading: ContextReading, since epoch: UInt64) throws {
        // They are there, also when they cannot be brought up to date.
        defer { call(.didLoad, of: loaded) { $0.didLoad() } }
        var changedSince: [any LiveModel] = []
        if !touched.isEmpty {
            try domain.withLock {
                for derived in touched where derived.object.live.status == .changed {
                    state.derived.append(derived)
                    addPending(derived.object)
                }
                // The changes that they are derived from may have been taken back while the read was under way.
                if reading.derivation != state.derivation { return try forgetDerived() }
                // So may those that came before the objects were there to be changed with them.
                for derived in touched where state.outdated[derived.object.contextKey, default: 0] > reading.outdatedCount {
                    try forget(derived)
                    changedSince.append(derived.object)
                }
            }
        }
        for object in changedSince { try showPendingChanges(of: object) }
        // What was saved while the read was under way reached only the objects that were there.
        if epoch != self.epoch {
            try bringUpToDate(loaded, keepingChanges: true)
            map.confirm(loaded)
        }
    }
}

/// What a context's pending changes did to the records of a transaction that shows them.
struct PendingChanges {
    private let changes: [ObjectKey: RecordChange]
    private let cut: ChangeCut
    /// The places in the cut of what is stored; nil before somebody asks, which is rare.
    private var storedPlaces: [ObjectKey: Int]?

    init(_ changes: [RecordChange], of cut: ChangeCut, _ classes: [String: any LiveModel.Type]) {
        self.cut = cut
        self.changes = Dictionary(
            changes.compactMap { change in
                classes[change.modelName].map { (ObjectKey(ObjectIdentifier($0), change.key), change) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The change of a record; nil when it is as in the store.
    func change(of key: ObjectKey) -> RecordChange? { changes[key] }

    /// The object that is stored under a key by the changes.
    ///
    /// - Complexity: O(1), and O(*n*) over the changes the first time.
    mutating func storedObject(of key: ObjectKey) -> (any LiveModel)? {
        let places = storedPlaces ?? placesOfStored()
        storedPlaces = places
        return places[key].map { cut.entries[$0].object }
    }

    private func placesOfStored() -> [ObjectKey: Int] {
        let stored = cut.entries.indices.filter { cut.entries[$0].kind != .deletion }
        return Dictionary(stored.map { (cut.contextKey(of: cut.entries[$0]), $0) }, uniquingKeysWith: { first, _ in first })
    }
}
