extension ReadTransaction {
    /// The names of all types that have or had records in the store, known to the program or not, ascending.
    public func modelNames() throws -> [String] {
        try reader.keyspaceNames().filter { !Catalogue.isReserved($0) }
    }

    /// The record of any type with this type name and key (the id's ``StorableKey/keyBytes``); nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)``.
    public func storedRecord(of modelName: String, key: [UInt8]) throws -> StoredRecord? {
        let reader = try reader
        guard !Catalogue.isReserved(modelName), let keyspace = try reader.keyspace(named: modelName) else { return nil }
        let recordKey = RecordKey(key)
        let record = try reader.withValue(of: recordKey.bytes.span.bytes, in: keyspace) {
            try storedRecord($0, key: recordKey.bytes.span.bytes)
        }
        return record?.key == key ? record : nil
    }

    /// The record that a view shows, in its model's current layout.
    func storedRecord(of view: RecordView, _ model: OpenModel) throws -> StoredRecord {
        let layout = model.binding.layout
        var decoder = try RecordDecoder(view.bytes, key: view.key, layout: layout, plan: nil)
        decoder.annexSource = view.annexes
        return StoredRecord(key: try decoder.wholeKey(), layout: layout, values: try decoder.storedValues(layout), annexes: annexes(of: layout))
    }

    /// The records of a model that the program may not have, or of a collection, by its name.
    ///
    /// - Throws: ``TroveError/unknownType(_:)`` when there is none of this name.
    func openStored(named name: String) throws -> OpenModel {
        if !Catalogue.isReserved(name), let type = core.model(named: name) { return try open(type) }
        if try indexTable.collection(named: name) != nil { return try openCollection(named: name) }
        // Of several layouts that of the latest version, and of these the one that was made last.
        let layouts = try Catalogue.entries(reader).filter { $0.layout.modelName.hasBytes(of: name) && !$0.isRetired }
        guard !Catalogue.isReserved(name), let entry = layouts.max(by: { ($0.layout.version, $0.layout.number) < ($1.layout.version, $1.layout.number) })
        else { throw TroveError.unknownType(name) }
        let binding = ModelBinding(stored: entry, hidesEncrypted: core.sealing == nil)
        return OpenModel(type: binding.type, binding: binding, keyspace: try reader.keyspace(named: name), pipeline: nil)
    }

    /// The layout with this number.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)`` when the store has none or it is damaged.
    func storedLayout(_ number: UInt16) throws -> RecordLayout {
        // The number of one that is rolled back may become another's.
        guard newLayouts.contains(number), let entry = try Catalogue.entry(number, reader) else { return try core.catalogue.layout(number, reader: reader) }
        return entry.layout
    }

    /// The layout in which a record was written; nil when the record is damaged, or the store does not have the layout any more.
    func layout(of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) throws -> RecordLayout? {
        do {
            _ = try RecordDecoder.checkedFlags(of: record, key: key)
            return try storedLayout(RecordDecoder.header(of: record).layout)
        } catch is DecodingFault {
            return nil
        } catch TroveError.corruptCatalogue {
            return nil
        }
    }

    /// The id's bytes of a record, which hold them where the engine's key is a shortened form; that key when nobody can tell the id any more.
    func wholeKey(_ key: UnsafeRawBufferPointer, of record: UnsafeRawBufferPointer) throws -> [UInt8] {
        guard key.count > RecordKey.maxWholeSize, let layout = try layout(of: record, key: key) else { return [UInt8](key) }
        do {
            return [UInt8](try RecordView(trusting: record, key: key, layout: layout).wholeKey)
        } catch is DecodingFault {
            return [UInt8](key)
        }
    }

    /// The record in these bytes, checked.
    func storedRecord(_ record: RawSpan, key: RawSpan) throws -> StoredRecord {
        try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { key in
                var modelName = "a record"
                do {
                    let number = try RecordDecoder.header(of: record).layout
                    let layout = try storedLayout(number)
                    modelName = layout.modelName
                    var decoder = try RecordDecoder(record, key: key, layout: layout, plan: nil, passesOverSealed: true)
                    let values = try decoder.storedValues(layout)
                    return StoredRecord(
                        key: try decoder.wholeKey(), layout: layout, values: values, annexes: annexes(of: layout), sealed: decoder.sealedPositions)
                } catch let fault as DecodingFault {
                    throw fault.error(model: ModelSchema(modelName, fields: []), field: 0, key: [UInt8](key))
                } catch TroveError.corruptValue(let reason) {
                    throw TroveError.corruptRecord(model: modelName, id: StoredRecord.text(of: [UInt8](key)), reason: reason)
                }
            }
        }
    }
}

extension WriteTransaction {
    /// Stores a record under its type's name and replaces one with the same key.
    ///
    /// The program need not have the type. The record keeps the layout it was written in.
    ///
    /// - Throws: ``TroveError/unknownType(_:)`` when the store has no such type.
    public func save(_ record: StoredRecord) throws {
        let writer = try writer
        guard var entry = try Catalogue.entry(record.layout, writer), record.hasLayout(entry.layout),
            let keyspace = try writer.keyspace(named: record.modelName)
        else { throw TroveError.unknownType(record.modelName) }
        if entry.isRetired {
            entry.isRetired = false
            try Catalogue.write(entry, writer)
        }
        let layout = entry.layout
        guard record.sealedFields.isEmpty else { throw TroveError.encryptedRecord(model: record.modelName, id: StoredRecord.text(of: record.key)) }
        try checkCanSeal(entry)
        var buffer = RecordBuffer()
        try buffer.encode(record, layout)
        let pipeline = try pipeline(of: record.modelName)
        try offering(buffer) {
            try buffer.withBytes { key, bytes in
                guard let pipeline else { return try writer.put(key, bytes, in: keyspace) }
                try key.withUnsafeBytes { key in try bytes.withUnsafeBytes { try pipeline.upsert(key, $0, in: keyspace) } }
            }
        }
    }
}
