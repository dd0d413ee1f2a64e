extension WriteTransaction {
    /// Stores a record under its type's name and replaces one with the same key.
    ///
    /// The program need not have the type: indexes, inverses, unique rules and the fields' options hold all the same. The
    /// record keeps the layout it was written in.
    ///
    /// - Throws: ``TroveError/unknownType(_:known:)`` when the store has no such type; ``TroveError/needsModel(_:reason:)`` when a unique index is of
    ///   what only the program that has the type can tell; ``TroveError/encodingFailed(model:field:reason:)`` when the program has it and the properties make
    ///   another id than the record's; what saving an object throws.
    public func save(_ record: StoredRecord) throws {
        try saving(record)
    }

    /// Stores a record and returns it as it was stored.
    @discardableResult
    func saving(_ record: StoredRecord) throws -> StoredRecord {
        let (model, merged) = try openForSaving(record)
        let whole = try completed(buffer(of: merged, model), model)
        try checkID(of: whole, model)
        try upsert(whole, model)
        return merged
    }

    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when the properties of the record in a buffer make another id than that of its key.
    private func checkID(of buffer: borrowing RecordBuffer, _ model: OpenModel) throws {
        let binding = model.binding
        guard binding.storedEntry == nil, binding.mayMakeIDs || !binding.schema.identity.isEmpty else { return }
        do {
            if try keepsID(buffer, model) { return }
        } catch TroveError.decodingFailed {
            // What no object can be made of tells no id, and stays as it is until somebody changes it.
            return
        }
        throw TroveError.encodingFailed(
            model: binding.schema.name, field: "id",
            reason: "the record has the key of another id than its properties make; rekey(_:from:to:) gives an object another id")
    }

    /// A record in the model's present layout where its own lacks a property with a computed default, of which indexes
    /// would have one value and readers another.
    private func completed(_ buffer: consuming RecordBuffer, _ model: OpenModel) throws -> RecordBuffer {
        let binding = model.binding
        let number = try buffer.withBytes { _, record in try record.withUnsafeBytes { try RecordDecoder.header(of: $0).layout } }
        guard binding.storedEntry == nil, number != binding.layout.number, try binding.computesDefaults(of: storedLayout(number)) else { return buffer }
        var whole = RecordBuffer()
        try buffer.withBytes { key, record in try withDecoder(record, key: key, model) { try binding.normalise(&$0, &whole) } }
        whole.record.prefer(buffer.record.annexes)
        return whole
    }

    /// Stores a record that must be new, and returns it as it was stored; nil when there is one with its key.
    func inserting(_ record: StoredRecord, _ model: OpenModel) throws -> StoredRecord? {
        var record = record
        try model.binding.noteSave(of: &record, over: nil, at: saveDate)
        return try insert(completed(buffer(of: record, model), model), model) ? record : nil
    }

    /// The model of a record that is to be saved, and the record with what the stored one keeps by its fields' options and the dates of the save.
    private func openForSaving(_ record: StoredRecord) throws -> (OpenModel, StoredRecord) {
        let writer = try writer
        guard var entry = try Catalogue.entry(record.layout, writer), record.hasLayout(entry.layout), try writer.keyspace(named: record.modelName) != nil
        else { throw try unknownType(record.modelName) }
        if entry.isRetired {
            entry.isRetired = false
            try Catalogue.write(entry, writer)
            // Programs look at the layouts again.
            try IndexDirectory.renew(writer)
            if let pipeline { try pipeline.reload() } else { forgetIndexes() }
            forgetModels()
        }
        try checkCanSeal(entry)
        guard let model = try openRecords(named: record.modelName) else { throw try unknownType(record.modelName) }
        var merged = record
        let binding = model.binding
        let key = RecordKey(record.key)
        if !binding.mergesOnSave, let long = key.long, let keyspace = model.keyspace {
            try checkIsFree(key.bytes.span.bytes, for: long, shown: StoredRecord.text(of: long), in: keyspace, of: record.modelName)
        }
        let mustLook = binding.mergesOnSave || binding.hasSavedDates
        func read() throws -> (record: StoredRecord, layout: RecordLayout)? { try recordAsWritten(under: key.bytes, model) }
        let found = mustLook ? try binding.mergesOnSave ? read() : ifReadable(read) : nil
        if let (stored, layout) = found {
            guard stored.key == record.key else { throw TroveError.keyCollision(model: record.modelName, id: StoredRecord.text(of: record.key)) }
            if binding.keepsStoredValues { try binding.keepStoredValues(of: stored, layout, in: &merged) }
        }
        try binding.noteSave(of: &merged, over: found?.record, at: saveDate)
        return (model, merged)
    }
}

/// Ids that objects make of their properties: a record whose properties make another id than that of its key would be found under the one and be the other.
extension WriteTransaction {
    /// Whether the object of the record in a buffer has the id whose key the buffer has.
    ///
    /// - Throws: what making the object throws.
    func keepsID(_ buffer: borrowing RecordBuffer, _ model: OpenModel) throws -> Bool {
        var made: [UInt8] = []
        try buffer.withBytes { key, record in
            try withDecoder(record, key: key, model) { made = try model.binding.objectKey(&$0) }
        }
        return made == buffer.key.bytes
    }
}
