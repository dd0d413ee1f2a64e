extension ReadTransaction {
    /// Calls `body` with each object above `start`, ascending by id, until it sets `stop`.
    func forEachObject<Object: Model>(
        after start: [UInt8]? = nil, _ body: (_ object: Object, _ stop: inout Bool) throws -> Void
    ) throws {
        try scanRecords(of: Object.self, after: start) { key, record, binding in
            guard let object: Object = try decode(record, key: key, binding) else { return .next }
            var stop = false
            try body(object, &stop)
            return stop ? .stop : .next
        }
    }

    func countObjects<Object: Model>(_ type: Object.Type) throws -> Int {
        let binding = try core.binding(for: type)
        let reader = try reader
        guard let keyspace = try keyspace(of: binding) else { return 0 }
        return try reader.count(in: keyspace)
    }

    func objectIDs<Object: Model>(_ type: Object.Type) throws -> [Object.ID] {
        var ids: [Object.ID] = []
        try scanRecords(of: type) { key, record, binding in
            let whole = key.byteCount > RecordKey.maxWholeSize ? try storedRecord(record, key: key).key : [UInt8](copying: key)
            do {
                ids.append(try Object.ID(keyBytes: whole))
            } catch TroveError.corruptKey(let reason) {
                throw TroveError.corruptRecord(model: binding.schema.name, id: StoredRecord.text(of: whole), reason: reason)
            }
            return .next
        }
        return ids
    }

    func scanRecords<Object: Model>(
        of type: Object.Type, after start: [UInt8]? = nil,
        _ body: (_ key: RawSpan, _ record: RawSpan, _ binding: ModelBinding) throws -> ScanStep
    ) throws {
        let binding = try core.binding(for: type)
        let reader = try reader
        guard let keyspace = try keyspace(of: binding) else { return }
        try reader.scan(start.map { .after($0) } ?? .all, in: keyspace) { key, record in
            try body(key, record, binding)
        }
    }
}
