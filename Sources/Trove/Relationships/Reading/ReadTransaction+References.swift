extension ReadTransaction {
    /// Whether anything points at a target.
    func isReferenced(_ target: AnyReference) throws -> Bool {
        var isReferenced = false
        for relationship in core.relationships(to: target.modelName) where !isReferenced {
            try forEachSource(of: target, in: relationship) { _, stop in
                isReferenced = true
                stop = true
            }
        }
        return isReferenced
    }

    /// Whether the object that a reference points at is stored. The program need not have its model.
    func isStored(_ target: AnyReference) throws -> Bool {
        guard let keyspace = try recordKeyspace(of: target.modelName) else { return false }
        let key = RecordKey(target.keyBytes)
        var isStored = false
        _ = try reader.get(key.bytes.span.bytes, in: keyspace) { record in
            // Only a shortened key may be another id's.
            isStored = try key.long == nil || storedRecord(record, key: key.bytes.span.bytes).key == target.keyBytes
        }
        return isStored
    }

    /// The keyspace of a model's records; nil when there is none, or it is one of the store's own.
    func recordKeyspace(of modelName: String) throws -> Keyspace? {
        guard !modelName.isEmpty, modelName.first != Catalogue.reservedPrefix || core.model(named: modelName) != nil else { return nil }
        return try reader.keyspace(named: modelName)
    }

    /// The whole key of the record with this engine's key, which is in the record alone when it is too long for a key.
    func wholeKey(_ key: RawSpan, of model: ModelBinding) throws -> [UInt8] {
        guard key.byteCount > RecordKey.maxWholeSize, let keyspace = try reader.keyspace(named: model.schema.name) else { return [UInt8](copying: key) }
        return try reader.withValue(of: key, in: keyspace) { try storedRecord($0, key: key).key } ?? [UInt8](copying: key)
    }
}
