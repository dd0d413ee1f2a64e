extension ReadTransaction {
    /// Calls `body` with each object above `start`, ascending by id, until it sets `stop`.
    @inlinable
    func forEachObject<Object: Model>(_ body: (_ object: Object, _ stop: inout Bool) throws -> Void) throws {
        let model = try open(Object.self)
        var stop = false
        try forEachRecordBytes(of: model) { key, record in
            var next: Object?
            try withDecoder(record, key: key, model) { next = try object(&$0) }
            // Outside of the decoder, which takes errors for its own; and the bytes may be gone once `body` changes something.
            if let next { try body(next, &stop) }
            return stop ? .stop : .next
        }
    }

    func countObjects(_ model: OpenModel) throws -> Int {
        guard let keyspace = model.keyspace else { return 0 }
        return try recordCount(of: model.binding.schema.name, in: keyspace)
    }

    func objectIDs<Object: Model>(_ type: Object.Type, _ model: OpenModel) throws -> [Object.ID] {
        var ids: [Object.ID] = []
        try forEachRecordBytes(of: model) { key, record in
            let whole = key.byteCount > RecordKey.maxWholeSize ? try storedRecord(record, key: key).key : [UInt8](copying: key)
            do {
                ids.append(try Object.ID(keyBytes: whole))
            } catch TroveError.corruptKey(let reason) {
                throw TroveError.corruptRecord(model: model.binding.schema.name, id: StoredRecord.text(of: whole), reason: reason)
            }
            return .next
        }
        return ids
    }

    /// Calls `body` with the bytes of each record above `start`, ascending by key.
    @usableFromInline func forEachRecordBytes(
        of model: OpenModel, after start: [UInt8]? = nil, _ body: (_ key: RawSpan, _ record: RawSpan) throws -> ScanStep
    ) throws {
        let reader = try reader
        guard let keyspace = model.keyspace else { return }
        var watch = watch
        try reader.scan(start.map { .after($0) } ?? .all, in: keyspace, order: .ascending) { key, record in
            try watch.step()
            return try body(key, record)
        }
    }
}
