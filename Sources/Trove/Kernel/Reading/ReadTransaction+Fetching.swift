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
        try id.withKeyBytes { try withRecord(of: model, $0) { found = try object(&$0) } }
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
        let model = try open(type)
        return try id.withKeyBytes { try contains($0, of: model) }
    }

    /// Whether there is a record of the id with these bytes. It is read only where a shortened key may be another id's, so that a damaged one is there, too.
    @usableFromInline func contains(_ whole: UnsafeRawBufferPointer, of model: OpenModel) throws -> Bool {
        if whole.count <= RecordKey.maxWholeSize {
            guard let keyspace = model.keyspace else { return false }
            return try reader.get(whole.bytes, in: keyspace) { _ in }
        }
        var isFound = false
        try withRecord(of: model, whole) { _ in isFound = true }
        return isFound
    }

    /// Calls `body` with the record of the id with these bytes, when there is one.
    @usableFromInline func withRecord(
        of model: OpenModel, _ whole: UnsafeRawBufferPointer, _ body: (inout RecordDecoder) throws -> Void
    ) throws {
        let reader = try reader
        guard let keyspace = model.keyspace else { return }
        if whole.count <= RecordKey.maxWholeSize {
            _ = try reader.get(whole.bytes, in: keyspace) { try withDecoder($0, key: whole.bytes, model, body) }
        } else {
            let key = RecordKey([UInt8](whole))
            let span = key.bytes.span.bytes
            _ = try reader.get(span, in: keyspace) { try withDecoder($0, key: span, model, matching: key.long, body) }
        }
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
