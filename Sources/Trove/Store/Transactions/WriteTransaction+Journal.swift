extension WriteTransaction {
    /// Takes down a change of the record under this key of the engine.
    func journal(_ modelName: String, _ key: UnsafeRawBufferPointer, from before: [UInt8]?, to after: [UInt8]?) throws {
        guard let journal else { return }
        journal.append(
            RecordChange(modelName: modelName, key: try wholeKey(key, of: after ?? before), before: before, after: after))
    }

    /// Takes down the removal of all records of a model, before it.
    func journalRemoval(ofAll modelName: String, in keyspace: Keyspace) throws {
        guard let journal else { return }
        try reader.scan(in: keyspace) { key, record in
            let before = [UInt8](copying: record)
            let key = try key.withUnsafeBytes { try wholeKey($0, of: before) }
            journal.append(RecordChange(modelName: modelName, key: key, before: before, after: nil))
            return .next
        }
    }

    /// The id's bytes of a record, which hold them where the engine's key is a shortened form.
    private func wholeKey(_ key: UnsafeRawBufferPointer, of record: [UInt8]?) throws -> [UInt8] {
        guard key.count > RecordKey.maxWholeSize, let record else { return [UInt8](key) }
        do {
            return try storedRecord(record.span.bytes, key: key.bytes).key
        } catch TroveError.corruptRecord {
            // Nobody can tell the id any more; the record may be removed all the same.
            return [UInt8](key)
        }
    }
}
