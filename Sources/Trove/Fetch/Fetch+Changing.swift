/// Changes of all objects of a query, in a transaction of their own.
extension Fetch where Source == ObjectStore {
    /// Deletes the objects in one transaction; returns how many there were.
    ///
    /// - Throws: what ``all()`` throws; ``TroveError/deletionDenied(model:id:blockers:)`` when a relationship's rule denies it; then nothing is
    ///   changed.
    @discardableResult
    public func delete(durability: Durability? = nil) throws -> Int {
        try source.write(durability) { try Fetch<Object, WriteTransaction>(source: $0, draft: draft).delete() }
    }

    /// Deletes the objects in one transaction; returns how many there were.
    @discardableResult
    public func delete(durability: Durability? = nil) async throws -> Int {
        let draft = draft
        return try await source.write(durability) { try Fetch<Object, WriteTransaction>(source: $0, draft: draft).delete() }
    }

    /// Changes each of the objects in one transaction; returns how many there were.
    ///
    /// ```swift
    /// try store.fetch(Song.self).where { $0.artist == "B. Evans" }.update { $0.artist = "Bill Evans" }
    /// ```
    ///
    /// The objects are found before the first one is changed, so it does not matter that a change moves an object in
    /// the order of the query or into its results.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when `change` gives an object another id; what `change` and a save throw. Nothing is changed then.
    @inlinable @discardableResult
    public func update(durability: Durability? = nil, _ change: (inout Object) throws -> Void) throws -> Int {
        try source.write(durability) { try Fetch<Object, WriteTransaction>(source: $0, draft: draft).update(change) }
    }

    /// Changes each of the objects in one transaction; returns how many there were.
    @inlinable @discardableResult
    public func update(
        durability: Durability? = nil, _ change: @escaping @Sendable (inout Object) throws -> Void
    ) async throws -> Int {
        let draft = draft
        return try await source.write(durability) { try Fetch<Object, WriteTransaction>(source: $0, draft: draft).update(change) }
    }
}

/// Changes of all objects of a query, as a part of a transaction.
extension Fetch where Source == WriteTransaction {
    /// Deletes the objects; returns how many there were.
    ///
    /// - Throws: what ``all()`` throws; ``TroveError/deletionDenied(model:id:blockers:)`` when a relationship's rule denies it.
    @discardableResult
    public func delete() throws -> Int {
        let transaction = source
        let model = try transaction.open(Object.self, draft)
        if draft.isPlain { return try transaction.deleteAll(of: model) }
        let keys = try QueryRun(transaction, model, draft, .keys).gatherKeys()
        let name = model.binding.schema.name
        if try transaction.relationshipsConcernDeletion(of: name) { return try transaction.deleteTogether([(name, keys)]) }
        try transaction.deleteRecords(keys, model)
        return keys.count
    }

    /// Changes each of the objects; returns how many there were.
    ///
    /// The objects are found before the first one is changed.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when `change` gives an object another id; what `change` and a save throw. The transaction can then only
    ///   roll back, unless the call was made in a ``WriteTransaction/savepoint(_:)``.
    @inlinable @discardableResult
    public func update(_ change: (inout Object) throws -> Void) throws -> Int {
        let transaction = source
        let model = try transaction.openForChanging(Object.self, draft)
        let keys = try transaction.keys(of: model, draft)
        var buffer = RecordBuffer()
        var count = 0
        try transaction.batch {
            for position in 0..<keys.count {
                guard var object: Object = try transaction.object(keys, position, model) else { continue }
                let id = object.id
                try change(&object)
                guard object.id.hasKey(of: id) else { throw transaction.changedIdentity(of: id.shownInErrors, model) }
                try transaction.encode(object, model, &buffer)
                if transaction.needsStored(model, buffer) { try transaction.merge(object, model, &buffer) }
                try transaction.updateRead(buffer, model)
                count += 1
            }
        }
        return count
    }
}

extension WriteTransaction {
    /// The record keys of a query's results, in order.
    @usableFromInline func keys(of model: OpenModel, _ draft: QueryDraft) throws -> KeyList {
        try QueryRun(self, model, draft, .keys).gatherKeys()
    }

    /// The object with one of these record keys, whose record ``updateRead(_:_:)`` replaces; nil when there is none.
    @inlinable
    func object<Object: Model>(_ keys: KeyList, _ position: Int, _ model: OpenModel) throws -> Object? {
        var found: Object?
        try readForUpdate(keys, position, model) { found = try object(&$0) }
        return found
    }

    /// Removes the records with these keys.
    fileprivate func deleteRecords(_ keys: KeyList, _ model: OpenModel) throws {
        guard let keyspace = model.keyspace else { return }
        try batch {
            for position in 0..<keys.count {
                try prefetch(keys, from: position, in: keyspace)
                _ = try remove(keys[position].span.bytes, model)
            }
        }
    }

    @usableFromInline func readForUpdate(
        _ keys: KeyList, _ position: Int, _ model: OpenModel, _ body: (inout RecordDecoder) throws -> Void
    ) throws {
        try withRecordToUpdate(keys, position, model) { try withDecoder($1, key: $0, model, body) }
    }

    /// Calls `body` with the record of one of these keys, which ``updateRead(_:_:)`` is to replace; not when there is none.
    func withRecordToUpdate(_ keys: KeyList, _ position: Int, _ model: OpenModel, _ body: (_ key: RawSpan, _ record: RawSpan) throws -> Void) throws {
        guard let keyspace = model.keyspace else { return }
        try prefetch(keys, from: position, in: keyspace)
        let key = keys[position]
        try withRecordToUpdate(key.span.bytes, in: keyspace, model) { try body(key.span.bytes, $0) }
    }

    /// Calls `body` with a record that ``updateRead(_:_:)`` is to replace.
    func withRecordToUpdate(_ key: RawSpan, in keyspace: Keyspace, _ model: OpenModel, _ body: (RawSpan) throws -> Void) throws {
        recordRead.begin(key, of: model.binding, at: changeNumber)
        _ = try reader.get(key, in: keyspace) { record in
            // What follows from the change asks for the record as it was.
            if model.pipeline != nil { recordRead.keep(record) }
            try body(record)
        }
    }

    /// Replaces the record that ``readForUpdate(_:_:_:_:)`` has read last.
    @usableFromInline func updateRead(_ buffer: borrowing RecordBuffer, _ model: OpenModel) throws {
        let old = recordRead
        recordRead = RecordRead()
        try offering(buffer) {
            try buffer.withBytes { key, record in
                guard old.isKnown(key, of: model.binding, at: changeNumber) else { return try update(key, record, model) }
                try old.withBytes { try update(key, record, replacing: .stored($0), model) }
            }
        }
        recordRead = old
    }

    @usableFromInline func changedIdentity(of id: String, _ model: OpenModel) -> TroveError {
        .invalidQuery(
            reason:
                "its update gave the \(model.binding.schema.name) \(id) another id; save the object under its new id and delete the old one in a transaction")
    }
}
