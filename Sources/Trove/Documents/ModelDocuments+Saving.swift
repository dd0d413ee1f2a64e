/// Changes of a model's objects as a part of a transaction.
extension ModelDocuments where Source == WriteTransaction {
    /// Stores an object, replacing the one with the same id. Properties that are written once, or that nil leaves as they
    /// are, keep what the store has by their rules.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)`` for a property that is missing, that the model does not have, or whose value it cannot
    ///   hold, and for an object that was read in another store in another version of the model; ``TroveError/needsModel(_:reason:)`` when an index that is to
    ///   keep objects apart is of what only the program that has the model can tell; what saving an object throws. Nothing is changed then.
    /// - Returns: the object as it was stored, with the id that was made for it.
    @discardableResult
    public func save(_ document: ModelDocument) throws -> ModelDocument {
        try source.store(document, name) { record, _ in try source.saving(record) }
    }

    /// Stores objects, replacing those with the same ids; the last of several with one id wins.
    ///
    /// - Throws: what ``save(_:)-(ModelDocument)`` throws. The whole transaction can then only roll back, unless the call was made
    ///   in a ``WriteTransaction/savepoint(_:)``.
    public func save(_ documents: some Sequence<ModelDocument>) throws {
        try source.batch { for document in documents { try save(document) } }
    }

    /// Stores an object that must be new; returns it with the id that was made for it.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)`` when there is one with its id; what a save throws. Nothing is changed then.
    @discardableResult
    public func insert(_ document: ModelDocument) throws -> ModelDocument {
        try source.store(document, name) { record, model in try source.inserting(record, model) }
    }

    /// The stored object whose place a document would take: by its id, or by that which its properties make; nil when there is none.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)`` for a document of another model, and for an id that is none of the model's.
    package func stored(for document: ModelDocument) throws -> ModelDocument? {
        let model = try source.describedModel(named: name)
        try model.check(document)
        guard case .object(let properties) = document.value, let key = try source.knownKey(of: document, properties, model),
            let record = try source.storedRecord(under: RecordKey(key).bytes, model.opened), record.key == key
        else { return nil }
        return try ModelDocument(record, model.ids)
    }

    /// Deletes an object; returns whether it was stored. Rules of relationships may delete and change others, see ``DeleteRule``.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)`` for a document of another model; what ``delete(id:)`` throws.
    @discardableResult
    public func delete(_ document: ModelDocument) throws -> Bool {
        let model = try source.describedModel(named: name)
        try model.check(document)
        guard let key = try document.key ?? document.id.map({ try model.key(of: $0) }) ?? source.naturalKey(of: document, model) else { return false }
        return try source.delete(RecordKey(key), of: model.opened)
    }

    /// Deletes the object with this id; returns whether there was one.
    ///
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)`` when a relationship's rule denies it; ``TroveError/needsModel(_:reason:)`` when only the
    ///   program that has a model can tell what is deleted with its objects. Nothing is changed then.
    @discardableResult
    public func delete(id: StoredValue) throws -> Bool {
        let model = try source.describedModel(named: name)
        return try source.delete(RecordKey(model.key(of: id)), of: model.opened)
    }

    /// Deletes the objects with these ids, judged together; returns how many there were.
    ///
    /// - Throws: what ``delete(id:)`` throws.
    @discardableResult
    public func delete(ids: some Sequence<StoredValue>) throws -> Int {
        let model = try source.describedModel(named: name)
        return try source.delete(RecordKeys(bytes: ids.map { try model.key(of: $0) }), of: model.opened)
    }

    /// Deletes all objects; returns how many there were.
    ///
    /// - Throws: what ``delete(id:)`` throws.
    @discardableResult
    public func deleteAll() throws -> Int { try source.deleteAll(of: source.describedModel(named: name).opened) }
}

extension WriteTransaction {
    /// Checks a document and lets `store` store its record.
    fileprivate func store(_ document: ModelDocument, _ name: String, _ store: (StoredRecord, OpenModel) throws -> StoredRecord?) throws -> ModelDocument {
        var model = try describedModel(named: name)
        try indexTable.checkSaving(name)
        let record = try record(of: document, model)
        try checkReadable(record, model)
        if model.opened.keyspace == nil {
            _ = try writer.createKeyspace(named: name)
            model = try describedModel(named: name)
        }
        guard let stored = try store(record, model.opened) else {
            throw TroveError.alreadyExists(model: name, id: try ModelDocument(record, model.ids)._idText)
        }
        return try ModelDocument(stored, model.ids)
    }

    /// Throws when the program has the model and could make no object of a record.
    private func checkReadable(_ record: StoredRecord, _ model: DescribedModel) throws {
        let binding = model.opened.binding
        guard binding.storedEntry == nil, record.layout == binding.layout.number else { return }
        let buffer = try buffer(of: record, model.opened)
        let bytes = buffer.withBytes { _, bytes in [UInt8](copying: bytes) }
        let key: [UInt8]
        do {
            key = try binding.withDecoder(bytes, key: RecordKey(record.key), annexes: OfferedAnnexes(buffer.record.annexes)) { try binding.objectKey(&$0) }
        } catch TroveError.decodingFailed(let name, let field, _, let reason) {
            // Nothing that is stored is at fault, and the bytes of the key say little to who wrote the value.
            let id = try ModelDocument(record, model.ids)._idText
            throw TroveError.invalidProperty(model: name, property: field, reason: "of \(id) cannot be read: \(reason)")
        }
        guard key == record.key else {
            throw TroveError.invalidProperty(model: record.modelName, property: "$id", reason: "is another one than the object makes of its properties")
        }
    }
}

/// Changes of a model's objects, each a transaction of its own.
extension ModelDocuments where Source == ObjectStore {
    private func write<Result>(_ durability: Durability?, _ body: (ModelDocuments<WriteTransaction>) throws -> Result) throws -> Result {
        try source.write(durability) { try body($0.documents(of: name)) }
    }

    /// Stores an object, replacing the one with the same id; returns it as it was stored.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)``; what saving an object throws. Nothing is changed then.
    @discardableResult
    public func save(_ document: ModelDocument, durability: Durability? = nil) throws -> ModelDocument { try write(durability) { try $0.save(document) } }

    /// Stores objects, all or none, replacing those with the same ids; the last of several with one id wins.
    ///
    /// - Throws: what the save of one throws; then none is changed.
    public func save(_ documents: some Sequence<ModelDocument>, durability: Durability? = nil) throws { try write(durability) { try $0.save(documents) } }

    /// Stores an object that must be new; returns it with the id that was made for it.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)``; what a save throws.
    @discardableResult
    public func insert(_ document: ModelDocument, durability: Durability? = nil) throws -> ModelDocument { try write(durability) { try $0.insert(document) } }

    /// Deletes an object; returns whether it was stored.
    ///
    /// - Throws: what the deletion throws in a transaction; then nothing is changed.
    @discardableResult
    public func delete(_ document: ModelDocument, durability: Durability? = nil) throws -> Bool { try write(durability) { try $0.delete(document) } }

    /// Deletes the object with this id; returns whether there was one.
    ///
    /// - Throws: what the deletion throws in a transaction; then nothing is changed.
    @discardableResult
    public func delete(id: StoredValue, durability: Durability? = nil) throws -> Bool { try write(durability) { try $0.delete(id: id) } }

    /// Deletes the objects with these ids, judged together; returns how many there were.
    ///
    /// - Throws: what the deletion throws in a transaction; then nothing is changed.
    @discardableResult
    public func delete(ids: some Sequence<StoredValue>, durability: Durability? = nil) throws -> Int { try write(durability) { try $0.delete(ids: ids) } }

    /// Deletes all objects; returns how many there were.
    ///
    /// - Throws: what the deletion throws in a transaction; then nothing is changed.
    @discardableResult
    public func deleteAll(durability: Durability? = nil) throws -> Int { try write(durability) { try $0.deleteAll() } }
}
