/// Values that a unique index allows one record: the key of the index's entry of them.
struct UniqueValue: Hashable, Sendable {
    /// The number of the index.
    let index: Int
    let key: [UInt8]
}

/// A stored record that has values in a unique index which another one is to get.
struct UniqueOwner {
    let index: IndexBinding
    /// The engine's key of the record.
    let recordKey: [UInt8]
}

extension IndexBinding {
    /// What a record has in the index and nobody else may have. Values that a unique index does not compare, such as nil, are not among it.
    func uniqueValues(of record: RecordView) throws -> [UniqueValue] {
        guard schema.isUnique else { return [] }
        var arena = EntryArena()
        _ = try appendEntries(of: record, .check, to: &arena)
        var values: [UniqueValue] = []
        var offset = 0
        while offset < arena.size {
            let key = arena.key(at: offset)
            if try IndexEntry(key, arena.value(at: offset)).isUnique { values.append(UniqueValue(index: number, key: [UInt8](key))) }
            offset = arena.next(offset)
        }
        return values
    }
}

extension ReadTransaction {
    /// The unique indexes of a model, those among them that are being built and know a part of the records.
    func uniqueIndexes(of model: ModelBinding) throws -> [IndexBinding] { try indexTable.bindings(of: model.schema.name).filter(\.schema.isUnique) }

    /// The other records that have unique values of a record, in the order of the indexes.
    ///
    /// - Complexity: O(log *n*) for each unique index.
    func uniqueOwners(of record: RecordView, _ model: ModelBinding) throws -> [UniqueOwner] {
        var owners: [UniqueOwner] = []
        for index in try uniqueIndexes(of: model) {
            for value in try index.uniqueValues(of: record) {
                if let key = try owner(of: value, in: index), !key.elementsEqual(record.key) { owners.append(UniqueOwner(index: index, recordKey: key)) }
            }
        }
        return owners
    }

    /// The engine's key of the record that has a value of a unique index; nil when none has.
    func owner(of value: UniqueValue, in index: IndexBinding) throws -> [UInt8]? {
        // Outside of batches unique indexes are written at once.
        if let transaction = self as? WriteTransaction, transaction.pipeline?.isInBatch == true { try transaction.writeIndexes() }
        guard let keyspace = try indexKeyspace(index) else { return nil }
        var owner: [UInt8]?
        let key = value.key.span.bytes
        _ = try reader.get(key, in: keyspace) { owner = [UInt8](try IndexEntry.readable(key, $0, of: index).recordKey) }
        return owner
    }

    /// Tells an engine that fetches ahead which values of a unique index are going to be looked up.
    func announce(_ values: [UniqueValue], in index: IndexBinding) throws {
        guard try reader.prefetches, !values.isEmpty, let keyspace = try indexKeyspace(index) else { return }
        for start in stride(from: 0, to: values.count, by: Self.prefetchSize) {
            try reader.prefetch(values[start..<min(values.count, start + Self.prefetchSize)].map(\.key), in: keyspace)
        }
    }

    /// The id's bytes of a record that an index has found.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)`` when the record is not there.
    func wholeKey(ofRecordUnder key: [UInt8], foundBy index: IndexBinding, _ model: OpenModel) throws -> [UInt8] {
        if key.count <= RecordKey.maxWholeSize { return key }
        var whole: [UInt8]?
        let span = key.span.bytes
        if let keyspace = model.keyspace {
            _ = try reader.get(span, in: keyspace) { try withDecoder($0, key: span, model) { whole = try $0.wholeKey() } }
        }
        guard let whole else { throw index.missingRecord(of: span) }
        return whole
    }
}
