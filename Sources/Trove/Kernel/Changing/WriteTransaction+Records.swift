/// The four ways to change a record, chosen by what the caller knows of it. Whatever stores or removes a record goes through one of them.
extension WriteTransaction {
    /// Stores a record unless there is one with its key; returns whether it was stored.
    func insert(_ key: RawSpan, _ record: RawSpan, _ model: OpenModel) throws -> Bool {
        guard let keyspace = model.keyspace else { return false }
        guard let pipeline = model.pipeline else { return try writer.insert(key, record, in: keyspace) }
        return try key.withUnsafeBytes { key in try record.withUnsafeBytes { try pipeline.insert(key, $0, in: keyspace) } }
    }

    /// Stores a record, whether or not there is one with its key.
    func upsert(_ key: RawSpan, _ record: RawSpan, _ model: OpenModel) throws {
        guard let keyspace = model.keyspace else { return }
        guard let pipeline = model.pipeline else { return try writer.put(key, record, in: keyspace) }
        try key.withUnsafeBytes { key in try record.withUnsafeBytes { try pipeline.upsert(key, $0, in: keyspace) } }
    }

    /// Replaces a record that is there, of which the caller may have the bytes.
    func update(_ key: RawSpan, _ record: RawSpan, replacing old: ModelPipeline.OldRecord = .unknown, _ model: OpenModel) throws {
        guard let keyspace = model.keyspace else { return }
        guard let pipeline = model.pipeline else { return try writer.put(key, record, in: keyspace) }
        try key.withUnsafeBytes { key in try record.withUnsafeBytes { try pipeline.update(key, $0, replacing: old, in: keyspace) } }
    }

    /// Removes the record with this key; returns whether there was one. No rule of a relationship is heeded.
    func remove(_ key: RawSpan, _ model: OpenModel) throws -> Bool {
        guard let keyspace = model.keyspace else { return false }
        return try remove(key, from: keyspace, through: model.pipeline)
    }

    /// Removes the record with this key of a type, which the program need not have. No rule of a relationship is heeded.
    func removeRecord(of modelName: String, _ key: RawSpan) throws -> Bool {
        guard let keyspace = try reader.keyspace(named: modelName) else { return false }
        return try remove(key, from: keyspace, through: pipeline(of: modelName))
    }

    private func remove(_ key: RawSpan, from keyspace: Keyspace, through pipeline: ModelPipeline?) throws -> Bool {
        guard let pipeline else { return try writer.delete(key, in: keyspace) }
        return try key.withUnsafeBytes { try pipeline.delete($0, .unknown, in: keyspace) }
    }

    /// A model or collection whose records are to be replaced, which the program need not have; nil when neither it nor the catalogue knows it.
    ///
    /// - Throws: ``TroveError/changedByAnotherProgram(model:reason:)``.
    func openRecordsForChanging(named name: String) throws -> OpenModel? {
        let model = try openRecords(named: name)
        try indexTable.checkSaving(name)
        return model
    }

    /// A record in the layout that it was read in.
    func buffer(of record: StoredRecord, _ model: OpenModel) throws -> RecordBuffer {
        guard record.sealedFields.isEmpty else { throw TroveError.encryptedRecord(model: record.modelName, id: model.binding.shownID(record.key)) }
        if let entry = model.binding.storedEntry { try checkCanSeal(entry) }
        var buffer = RecordBuffer()
        // In a transaction that is taken back, a value that is whole in the record as it is stored lies nowhere else for who reads it later.
        buffer.record.keepsLazyValues = !isTold
        try buffer.encode(record, layout(of: record, model))
        return buffer
    }

    /// What changes of a type's records go through, which the program need not have; nil when nothing follows from the changes.
    func pipeline(of modelName: String) throws -> ModelPipeline? {
        if let model = try openRecords(named: modelName) { return model.pipeline }
        // Nobody tells what is in the records, so that indexes, if any, are built anew later.
        let numbers = try indexTable.unmaintained(of: modelName)
        if !numbers.isEmpty { try restartIndexes(numbers, .unseen) }
        let hasAnnexes = try indexTable.hasAnnexes(modelName)
        guard try journal != nil || tells(of: modelName) || hasAnnexes || keepsHistory(of: modelName) else { return nil }
        return try openPipeline().pipeline(ofUnknown: modelName, hasAnnexes: hasAnnexes)
    }
}

extension WriteTransaction {
    /// - Throws: ``TroveError/fieldKeysMissing(model:property:)`` when records of a layout have encrypted fields, which the program has no keys to seal.
    func checkCanSeal(_ entry: LayoutEntry) throws {
        guard core.sealing == nil else { return }
        let (layout, name) = (entry.layout, entry.layout.modelName)
        func check(_ encryption: FieldEncryption) throws {
            guard let property = encryption.positions(in: layout).lazy.flatMap({ encryption.properties(at: $0, in: layout) }).first else { return }
            throw TroveError.fieldKeysMissing(model: name, property: property)
        }
        if let known = try indexTable.encryption(of: name) { try check(known) }
        // An import's layouts are not in the catalogue yet.
        if !entry.encryptedFields.isEmpty { try check(FieldEncryption(core.model(named: name)?.schema, of: name, [entry])) }
    }
}
