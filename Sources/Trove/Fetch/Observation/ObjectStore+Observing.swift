import Synchronization

extension ObjectStore {
    /// The objects of a query, now and after each commit that concerns the query.
    ///
    /// Commits of this process are heard of, and those of others where the store was opened with ``OtherProcessObservation/every(_:)``. One of another store
    /// that is open on the same file in this process gives a result when it changes any object of a model that the query reads.
    ///
    /// ```swift
    /// for try await songs in store.observe(store.fetch(Song.self).where { $0.year > 2000 }.sorted(by: \.title)) {
    ///     show(songs)
    /// }
    /// ```
    public func observe<Object: Model>(_ fetch: Fetch<Object, ObjectStore>) -> ObservedSequence<[Object]> {
        let filter = fetch.draft.query.filter
        let mayBeSame = Object.self == Document.self && filter.hasFullText || filter.asksForDanglingReferences
        return observation(of: fetch) {
            let previous = Previous<UInt64>()
            return { transaction, isConcerned in
                // Where each reading has something to tell, nobody needs to tell the results apart.
                guard mayBeSame || transaction.core.observers.wakesInVain else { return try transaction.fetch(as: fetch).all() }
                let (objects, digest) = try transaction.objectsWithDigest(of: fetch)
                let isSame = previous.replace(with: digest) == digest
                return isSame && !isConcerned ? nil : objects
            }
        }
    }

    /// The number of a query's objects, now and after each change of it.
    public func observeCount<Object: Model>(of fetch: Fetch<Object, ObjectStore>) -> ObservedSequence<Int> {
        observation(of: fetch) {
            let previous = Previous<Int>()
            return { transaction, _ in
                let count = try transaction.fetch(as: fetch).count()
                return previous.replace(with: count) == count ? nil : count
            }
        }
    }

    /// The changes of a query's result: at first everything is inserted, then what each reading finds different.
    ///
    /// ```swift
    /// for try await changes in store.observeChanges(of: store.fetch(Song.self).sorted(by: \.title)) {
    ///     table.delete(changes.removed.map(\.position))
    ///     …
    /// }
    /// ```
    public func observeChanges<Object: Model>(of fetch: Fetch<Object, ObjectStore>) -> ObservedSequence<ResultChanges<Object>> {
        observation(of: fetch) {
            let previous = Previous<ObservedResult<Object>>()
            return { transaction, _ in
                let result: ObservedResult<Object> = try transaction.observedResult(of: fetch.draft)
                guard let old = previous.replace(with: result) else { return result.changes(from: ObservedResult(rows: [])) }
                let changes = result.changes(from: old)
                return changes.isEmpty ? nil : changes
            }
        }
    }

    /// One object, now and after each commit that changes it; nil while it is not stored.
    ///
    /// ```swift
    /// for try await song in store.observe(Song.self, id: id) { show(song) }
    /// ```
    public func observe<Object: Model>(_ type: Object.Type, id: Object.ID) -> ObservedSequence<Object?> {
        let fetch = fetch(type).changing { $0.narrow(by: try .identified(by: [id.keyBytes], as: FieldType(ofID: Object.ID.self))) }
        return observation(of: fetch) {
            let previous = Previous<ObservedResult<Object>>()
            return { transaction, _ in
                let result: ObservedResult<Object> = try transaction.observedResult(of: fetch.draft)
                if let old = previous.replace(with: result), result.changes(from: old).isEmpty { return nil }
                return .some(result.rows.first?.object)
            }
        }
    }

    private func observation<Object: Model, Element>(
        of fetch: Fetch<Object, ObjectStore>, makeReader: @escaping @Sendable () -> @Sendable (ReadTransaction, _ isConcerned: Bool) throws -> Element?
    ) -> ObservedSequence<Element> {
        ObservedSequence(
            store: self,
            makeObserver: { core in
                let draft = fetch.draft
                let binding = try core.read { transaction in
                    // What points where may have changed since somebody asked.
                    _ = try transaction.relationships
                    return try transaction.open(Object.self, draft).binding
                }
                let query = try draft.checkedQuery()
                let filters = try core.observedFilters(of: query, binding)
                return Observer(filters: filters, isExact: !binding.mayChangeWords(of: query.filter) && filters[Observer.anyModel] == nil)
            }, makeReader: makeReader)
    }
}

/// What the reading before found.
private final class Previous<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    /// Keeps a value and returns the one before.
    func replace(with new: Value) -> Value? {
        value.withLock { value in
            defer { value = new }
            return value
        }
    }
}

extension ReadTransaction {
    /// A store's fetch in this snapshot.
    func fetch<Object: Model>(as fetch: Fetch<Object, ObjectStore>) -> Fetch<Object, ReadTransaction> {
        Fetch(source: self, draft: fetch.draft)
    }

    /// The result of a query with what tells one reading of it from another.
    func observedResult<Object: Model>(of draft: QueryDraft) throws -> ObservedResult<Object> {
        let model = try open(Object.self, draft)
        var rows: [ObservedResult<Object>.Row] = []
        try forEachRecord(of: model, draft) { key, record in
            try withDecoder(record, key: key, model) { decoder in
                rows.append(.init(key: [UInt8](copying: key), hash: Checksum.hash(record), object: try object(&decoder)))
            }
            return .next
        }
        return ObservedResult(rows: rows)
    }

    /// The objects of a query, and what tells one reading of them from another.
    fileprivate func objectsWithDigest<Object: Model>(of fetch: Fetch<Object, ObjectStore>) throws -> (objects: [Object], digest: UInt64) {
        var (objects, hasher): ([Object], Hasher) = ([], Hasher())
        try read(of: fetch.draft) { transaction in
            let model = try transaction.open(Object.self, fetch.draft)
            try transaction.forEachRecord(of: model, fetch.draft) { key, record in
                key.withUnsafeBytes { hasher.combine(bytes: $0) }
                hasher.combine(Checksum.hash(record))
                try transaction.withDecoder(record, key: key, model) { objects.append(try transaction.object(&$0)) }
                return .next
            }
        }
        return (objects, UInt64(bitPattern: Int64(hasher.finalize())))
    }
}

/// Tells of commits that change a model's objects, of a model that the program need not have; those of other processes where the store looks for them.
///
/// It keeps no commits, only whether there was one since it was last asked.
package struct CommitSignal: Sendable {
    private let registration: ObserverRegistration

    fileprivate init(_ registration: ObserverRegistration) { self.registration = registration }

    /// Returns at once the first time, then when there was a commit since the last time.
    ///
    /// - Throws: `CancellationError`.
    package func next() async throws { try await registration.observer.wait() }

    /// Whether there was a commit since this was asked last; true the first time.
    package func take() -> Bool { registration.observer.wakeUp.take() }
}

extension ObjectStore {
    /// What tells of commits that change objects of the model, until it is let go.
    ///
    /// - Throws: ``TroveError/unknownType(_:known:)``.
    package func commitSignal(of modelName: String) throws -> CommitSignal {
        let filter = try read { try CompiledFilter(.constant(true), in: $0.openStored(named: modelName).binding) }
        return CommitSignal(ObserverRegistration(Observer(filters: [modelName: filter]), core.observers))
    }
}
