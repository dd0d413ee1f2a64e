extension ReadTransaction {
    /// The names of all types that have or had records in the store, known to the program or not, ascending.
    public func typeNames() throws -> [String] {
        try reader.keyspaceNames().filter { $0.first != Catalogue.reservedPrefix }
    }

    /// A record of any type, by its type's name and its key (the id's ``StorableKey/keyBytes``); nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)``.
    public func storedRecord(of typeName: String, key: [UInt8]) throws -> StoredRecord? {
        let reader = try reader
        guard typeName.first != Catalogue.reservedPrefix, let keyspace = try reader.keyspace(named: typeName) else { return nil }
        let recordKey = RecordKey(key)
        let record = try reader.withValue(of: recordKey.bytes.span.bytes, in: keyspace) {
            try storedRecord($0, key: recordKey.bytes.span.bytes)
        }
        return record?.key == key ? record : nil
    }

    /// Calls `body` with each record of a type, in key order, until it sets `stop`.
    ///
    /// - Throws: ``TroveError/unknownType(_:)``; ``TroveError/corruptRecord(model:id:reason:)``.
    public func forEachStoredRecord(of typeName: String, _ body: (StoredRecord, _ stop: inout Bool) throws -> Void) throws {
        let reader = try reader
        guard typeName.first != Catalogue.reservedPrefix, let keyspace = try reader.keyspace(named: typeName) else {
            throw TroveError.unknownType(typeName)
        }
        try reader.scan(in: keyspace) { key, record in
            var stop = false
            try body(storedRecord(record, key: key), &stop)
            return stop ? .stop : .next
        }
    }

    /// The record in these bytes, checked.
    func storedRecord(_ record: RawSpan, key: RawSpan) throws -> StoredRecord {
        try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { key in
                var typeName = "a record"
                do {
                    let number = try RecordDecoder.header(of: record).layout
                    let layout = try core.catalogue.layout(number, reader: reader)
                    typeName = layout.typeName
                    var decoder = try RecordDecoder(record, key: key, layout: layout, plan: nil)
                    let values = try decoder.storedValues(layout)
                    return StoredRecord(key: try decoder.wholeKey(), layout: layout, values: values)
                } catch let fault as DecodingFault {
                    throw fault.error(model: ModelSchema(typeName, fields: []), field: 0, key: [UInt8](key))
                } catch TroveError.corruptValue(let reason) {
                    throw TroveError.corruptRecord(model: typeName, id: StoredRecord.text(of: [UInt8](key)), reason: reason)
                }
            }
        }
    }
}

extension WriteTransaction {
    /// Stores a record under its own type's name, replacing the one with the same key.
    ///
    /// The program need not have the type. The record keeps the layout it was written in.
    ///
    /// - Throws: ``TroveError/unknownType(_:)`` when the store has no such type.
    public func save(_ record: StoredRecord) throws {
        let writer = try writer
        guard var entry = try Catalogue.entry(record.layout, writer), record.hasLayout(entry.layout),
            let keyspace = try writer.keyspace(named: record.typeName)
        else { throw TroveError.unknownType(record.typeName) }
        if entry.isRetired {
            entry.isRetired = false
            try Catalogue.write(entry, writer)
        }
        let layout = entry.layout
        var buffer = RecordBuffer()
        try buffer.encode(record, layout)
        if let indexes = try keptIndexes(of: record.typeName) {
            _ = try buffer.withBytes { key, record in try indexes.save(key, record, in: keyspace) }
        } else {
            try buffer.withBytes { key, bytes in try putUnindexed(bytes, of: record.typeName, under: key, in: keyspace) }
        }
    }

    /// Removes the record with this key of a type; returns whether there was one.
    @discardableResult
    public func deleteStoredRecord(of typeName: String, key: [UInt8]) throws -> Bool {
        let writer = try writer
        guard typeName.first != Catalogue.reservedPrefix, let keyspace = try writer.keyspace(named: typeName) else { return false }
        let recordKey = RecordKey(key)
        // Only a shortened key may be another id's; others need not be read, so that a damaged record can be removed.
        if recordKey.long != nil, try storedRecord(of: typeName, key: key) == nil { return false }
        if try relationshipsConcernDeletion(of: typeName) { return try deleteTogether(typeName, recordKey) }
        guard let indexes = try keptIndexes(of: typeName) else {
            return try deleteUnindexed(of: typeName, under: recordKey.bytes, in: keyspace)
        }
        return try recordKey.bytes.withUnsafeBytes { try indexes.delete($0, in: keyspace) }
    }

    /// What keeps the indexes of a type, which the program need not have; then its indexes, if any, build from the start later.
    func keptIndexes(of typeName: String) throws -> ModelIndexes? {
        if let type = core.model(named: typeName) { return try open(type).indexes }
        let numbers = try indexTable.unmaintained(of: typeName)
        if !numbers.isEmpty { try restartIndexes(numbers) }
        return nil
    }

    /// Stores a record of a type of which the program keeps no indexes.
    private func putUnindexed(_ record: RawSpan, of typeName: String, under key: RawSpan, in keyspace: Keyspace) throws {
        let before = journal == nil ? nil : try reader.withValue(of: key, in: keyspace) { [UInt8](copying: $0) }
        try writer.put(key, record, in: keyspace)
        if journal == nil { return }
        try key.withUnsafeBytes { try journal(typeName, $0, from: before, to: [UInt8](copying: record)) }
    }

    /// Removes a record of a type of which the program keeps no indexes.
    func deleteUnindexed(of typeName: String, under key: [UInt8], in keyspace: Keyspace) throws -> Bool {
        let before = journal == nil ? nil : try reader.value(of: key, in: keyspace)
        guard try writer.delete(key, in: keyspace) else { return false }
        try key.withUnsafeBytes { try journal(typeName, $0, from: before, to: nil) }
        return true
    }
}
