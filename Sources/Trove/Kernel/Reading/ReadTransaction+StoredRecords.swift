extension ReadTransaction {
    /// The names of all types that have or had records in the store, known to the program or not, ascending.
    public func modelNames() throws -> [String] {
        try reader.keyspaceNames().filter { !Catalogue.isReserved($0) }
    }

    /// The error that no type has this name.
    func unknownType(_ name: String) throws -> TroveError {
        // A model that nothing was stored of has no keyspace, and has a layout.
        let names = try Catalogue.entries(reader).filter { !$0.isRetired }.map(\.layout.modelName)
        return .unknownType(name, known: Set(names).filter { !Catalogue.isReserved($0) }.sorted())
    }

    /// The record of any type with this type name and key (the id's ``StorableKey/keyBytes``); nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)``.
    public func storedRecord(of modelName: String, key: [UInt8]) throws -> StoredRecord? {
        let reader = try reader
        guard !Catalogue.isReserved(modelName), let keyspace = try reader.keyspace(named: modelName) else { return nil }
        let recordKey = RecordKey(key)
        let record = try reader.withValue(of: recordKey.bytes.span.bytes, in: keyspace) {
            try namedRecord($0, key: recordKey.bytes.span.bytes)
        }
        return record?.key == key ? try record.map { try outliving($0) } : nil
    }

    /// A record that is given to who may look at it when the transaction is over.
    ///
    /// One that is taken back shows lazy values that lie nowhere but in the memory of who has brought them.
    func outliving(_ record: StoredRecord) throws -> StoredRecord {
        guard let transaction = self as? WriteTransaction, !transaction.isTold else { return record }
        return try record.holding { transaction.offers[$0] }
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
    /// - Throws: ``TroveError/unknownType(_:known:)`` when there is none of this name.
    func openStored(named name: String) throws -> OpenModel {
        if !Catalogue.isReserved(name), let type = core.model(named: name) { return try open(type) }
        if try indexTable.collection(named: name) != nil { return try openCollection(named: name) }
        guard let binding = try indexTable.storedModel(toRead: name) else { throw try unknownType(name) }
        return OpenModel(type: binding.type, binding: binding, keyspace: try reader.keyspace(named: name), pipeline: nil)
    }

    /// A model or collection with its keyspace, to change its records: as the program has it, or as the catalogue tells it; nil when neither does.
    ///
    /// Records of a model that the program does not have are read in layouts of their own where nobody else can bring them into the
    /// present one, see ``storedRecord(under:_:)``.
    func openRecords(named name: String) throws -> OpenModel? {
        if let type = core.model(named: name) { return try open(type) }
        if let known = collections[name], known.binding.schema.name.hasBytes(of: name) { return known }
        if try indexTable.collection(named: name) != nil { return try openCollection(named: name) }
        guard let binding = try indexTable.storedModel(named: name) else { return nil }
        let model = OpenModel(type: binding.type, binding: binding, keyspace: try reader.keyspace(named: name), pipeline: try pipeline(of: binding))
        if model.keyspace != nil { collections[name] = model }
        return model
    }

    /// The record under a key of the engine: in its model's current layout, or, of a model that the program does not have, in its own, which has
    /// all of its values; nil when there is none.
    func storedRecord(under key: [UInt8], _ model: OpenModel) throws -> StoredRecord? {
        try record(under: key, model) { try storedRecord($0, key: key, model) }
    }

    /// The record under a key of the engine as ``storedRecord(under:_:)`` has it, and the layout in which it was written, which tells what was stored at all.
    func recordAsWritten(under key: [UInt8], _ model: OpenModel) throws -> (record: StoredRecord, layout: RecordLayout)? {
        var written: RecordLayout?
        let found = try record(under: key, model) { bytes in
            written = try bytes.withUnsafeBytes { bytes in try key.withUnsafeBytes { try layout(of: bytes, key: $0) } }
            return try storedRecord(bytes, key: key, model)
        }
        return try found.map { ($0, try written ?? layout(of: $0, model)) }
    }

    private func storedRecord(_ bytes: RawSpan, key: [UInt8], _ model: OpenModel) throws -> StoredRecord? {
        if model.binding.storedEntry != nil { return try namedRecord(bytes, key: key.span.bytes) }
        return try presentRecord(bytes, key: key.span.bytes, model)
    }

    /// The record under a key of the engine, of which some fields are to be changed: as ``storedRecord(under:_:)`` has it, but with the fields that
    /// the model does not have.
    ///
    /// - Parameter fields: the names of the fields that are to be changed, asked for where the record is in another layout than the model's.
    func recordToEdit(under key: [UInt8], _ model: OpenModel, changing fields: () -> Set<String>) throws -> StoredRecord? {
        if model.binding.storedEntry != nil { return try storedRecord(under: key, model) }
        return try record(under: key, model) { try recordToEdit($0, key: key.span.bytes, model, changing: fields) }
    }

    /// The record in these bytes, of which some fields are to be changed: in its own layout where this has other fields than the model, which stay as they
    /// are; otherwise in the model's.
    func recordToEdit(_ bytes: RawSpan, key: RawSpan, _ model: OpenModel, changing fields: () -> Set<String>) throws -> StoredRecord? {
        let layout = try bytes.withUnsafeBytes { bytes -> RecordLayout? in
            do {
                let number = try RecordDecoder.header(of: bytes).layout
                return number == model.binding.layout.number ? nil : try storedLayout(number)
            } catch is DecodingFault {
                // What is wrong with the record is told where it is read.
                return nil
            }
        }
        guard let layout, layout.documentPosition == nil, layout.version == model.binding.layout.version,
            layout.hasSameFields(fields(), as: model.binding.layout), try model.binding.passesOverFields(of: layout)
        else { return try presentRecord(bytes, key: key, model) }
        return try storedRecord(bytes, key: key)
    }

    /// The record in these bytes, in its model's current layout.
    private func presentRecord(_ bytes: RawSpan, key: RawSpan, _ model: OpenModel) throws -> StoredRecord? {
        var found: StoredRecord?
        try withRecordView(bytes, key: key, model) { found = try storedRecord(of: $0, model) }
        return found
    }

    private func record(under key: [UInt8], _ model: OpenModel, _ body: (RawSpan) throws -> StoredRecord?) throws -> StoredRecord? {
        guard let keyspace = model.keyspace else { return nil }
        var found: StoredRecord?
        _ = try reader.get(key.span.bytes, in: keyspace) { found = try body($0) }
        return found
    }

    /// The layout that a record has been read in.
    func layout(of record: StoredRecord, _ model: OpenModel) throws -> RecordLayout {
        record.layout == model.binding.layout.number ? model.binding.layout : try storedLayout(record.layout)
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

    /// As above, but throws when the record is damaged, newer or sealed.
    func checkedWholeKey(_ key: UnsafeRawBufferPointer, of record: UnsafeRawBufferPointer, _ model: String) throws -> [UInt8] {
        do {
            _ = try RecordDecoder.checkedFlags(of: record, key: key)
            let layout = try storedLayout(RecordDecoder.header(of: record).layout)
            return [UInt8](try RecordView(trusting: record, key: key, layout: layout).wholeKey)
        } catch let fault as DecodingFault {
            throw fault.error(model: ModelSchema(model, fields: []), field: 0, key: [UInt8](key))
        }
    }

    /// What a model that the program does not have calls the fields of an older layout now.
    func presentNames(in layout: RecordLayout) throws -> PresentNames {
        try indexTable.storedModel(named: layout.modelName)?.presentNames(in: layout) ?? .none
    }

    /// The record in these bytes, checked, whose fields go by the present names of a model that the program does not have too.
    func namedRecord(_ record: RawSpan, key: RawSpan) throws -> StoredRecord {
        var stored = try storedRecord(record, key: key)
        if let binding = try indexTable.storedModel(named: stored.modelName), binding.layout.number != stored.layout {
            stored.names = try binding.presentNames(in: storedLayout(stored.layout))
        }
        return stored
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

extension ReadTransaction {
    /// The record layouts of all models, also of those that the program does not have; without Trove's own.
    ///
    /// ```swift
    /// for layout in try store.read({ try $0.layouts() }) { print(layout) }
    /// ```
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    public func layouts() throws -> [StoredLayout] {
        try Catalogue.entries(reader).filter { !Catalogue.isReserved($0.layout.modelName) }.map { StoredLayout(entry: $0) }
    }
}
