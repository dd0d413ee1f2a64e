extension ReadTransaction {
    /// The object with this id; nil when there is none.
    ///
    /// - Throws: ``TroveError`` when the record is damaged or a value does not fit its property.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Object? {
        try fetch(id, of: open(type))
    }

    @inlinable
    func fetch<Object: Model>(_ id: Object.ID, of model: OpenModel) throws -> Object? {
        var found: Object?
        try withRecord(of: model, RecordKey(id.keyBytes)) { found = try object(&$0) }
        return found
    }

    /// The objects with these ids, in the order of the ids; an id without an object is left out.
    ///
    /// All are asked for in one go, which on an engine across a network is one round trip.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] {
        try fetch(ids, of: open(type))
    }

    @inlinable
    func fetch<Object: Model>(_ ids: some Sequence<Object.ID>, of model: OpenModel) throws -> [Object] {
        var found: [Object] = []
        try withRecords(of: model, RecordKeys(ids)) { found.append(try object(&$0)) }
        return found
    }

    /// Whether there is an object with this id.
    @inlinable
    public func contains<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Bool {
        try contains(RecordKey(id.keyBytes), of: open(type))
    }

    /// Whether there is a record with this key. It is read only where a shortened key may be another id's, so that a damaged one is there, too.
    @usableFromInline func contains(_ key: RecordKey, of model: OpenModel) throws -> Bool {
        if key.long == nil {
            guard let keyspace = model.keyspace else { return false }
            return try reader.get(key.bytes.span.bytes, in: keyspace) { _ in }
        }
        var isFound = false
        try withRecord(of: model, key) { _ in isFound = true }
        return isFound
    }

    /// Calls `body` with the record of a key, when there is one.
    @usableFromInline func withRecord(
        of model: OpenModel, _ key: RecordKey, _ body: (inout RecordDecoder) throws -> Void
    ) throws {
        let reader = try reader
        guard let keyspace = model.keyspace else { return }
        let span = key.bytes.span.bytes
        _ = try reader.get(span, in: keyspace) { try withDecoder($0, key: span, model, matching: key.long, body) }
    }

    /// Calls `body` with the record of each id that has one, in the order of the ids.
    @usableFromInline func withRecords(
        of model: OpenModel, _ ids: RecordKeys, _ body: (inout RecordDecoder) throws -> Void
    ) throws {
        let reader = try reader
        guard let keyspace = model.keyspace else { return }
        var watch = watch
        try reader.getMany(ids.keys, in: keyspace) { position, record in
            try watch.step()
            guard let record else { return .next }
            let long = ids.shortened(at: position)?.long
            try ids.keys.withKey(at: position) { try withDecoder(record, key: $0, model, matching: long, body) }
            return .next
        }
    }
}

extension ReadTransaction {
    /// Runs `body` on this same snapshot.
    @inlinable
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        try body(self)
    }
}
