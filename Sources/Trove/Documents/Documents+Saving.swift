/// Changes of a collection as a part of a transaction. The first save makes the collection.
extension Documents where Source == WriteTransaction {
    /// Stores a document and replaces one with the same id.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when a subscript of it was set that could not be;
    ///   ``TroveError/tooManyPaths(collection:path:limit:)``; other ``TroveError``s when a value cannot be stored. No document is changed then; the
    ///   collection that the first save makes stays.
    public func save(_ document: Document) throws {
        try source.withDocumentBuffer { try source.save(document, source.openCollectionForSaving(named: name), &$0) }
    }

    /// Stores documents and replaces those with the same ids; the last of several with one id wins.
    ///
    /// - Throws: ``TroveError`` when one cannot be stored. The whole transaction can then only roll back, unless the call was made
    ///   in a ``WriteTransaction/savepoint(_:)``.
    public func save(_ documents: some Sequence<Document>) throws {
        try source.save(documents, source.openCollectionForSaving(named: name))
    }

    /// Stores a document that must be new.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)`` when there is one with its id; what a save throws. No document is changed then.
    public func insert(_ document: Document) throws {
        try source.withDocumentBuffer { try source.insert(document, source.openCollectionForSaving(named: name), &$0) }
    }

    /// Stores documents that must be new.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)``. The whole transaction can then only roll back, unless the call was made
    ///   in a ``WriteTransaction/savepoint(_:)``.
    public func insert(_ documents: some Sequence<Document>) throws {
        try source.insert(documents, source.openCollectionForSaving(named: name))
    }

    /// Deletes a document; returns whether it was stored.
    ///
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)`` when an object that points at it by an ``AnyReference`` denies it;
    ///   ``TroveError/invalidCollection(name:reason:)``. Then nothing is changed.
    @discardableResult
    public func delete(_ document: Document) throws -> Bool { try delete(id: document.id) }

    /// Deletes the document with this id; returns whether it was stored.
    @discardableResult
    public func delete(id: ObjectID) throws -> Bool {
        try source.delete(RecordKey(id.keyBytes), of: source.openCollection(named: name))
    }

    /// Deletes the documents with these ids; returns how many were stored.
    @discardableResult
    public func delete(ids: some Sequence<ObjectID>) throws -> Int {
        try source.delete(RecordKeys(ids), of: source.openCollection(named: name))
    }

    /// Deletes all documents; returns how many there were. The collection and the numbers of its paths stay.
    @discardableResult
    public func deleteAll() throws -> Int { try source.deleteAll(of: source.openCollection(named: name)) }
}

/// Changes of a collection, each a transaction of its own.
extension Documents where Source == ObjectStore {
    private func write<Result>(_ durability: Durability?, _ body: (Documents<WriteTransaction>) throws -> Result) throws -> Result {
        try source.write(durability) { try body($0.documents(name)) }
    }

    /// Stores a document and replaces one with the same id; the first save creates the collection.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when a subscript of it was set that could not be;
    ///   ``TroveError/tooManyPaths(collection:path:limit:)``; other errors when a value cannot be stored or the engine fails. Nothing is changed then.
    public func save(_ document: Document, durability: Durability? = nil) throws { try write(durability) { try $0.save(document) } }

    /// Stores documents, all or none, and replaces those with the same ids; the last of several with one id wins.
    ///
    /// - Throws: what the save of one throws; then none is changed.
    public func save(_ documents: some Sequence<Document>, durability: Durability? = nil) throws { try write(durability) { try $0.save(documents) } }

    /// Stores a document that must be new.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)``.
    public func insert(_ document: Document, durability: Durability? = nil) throws { try write(durability) { try $0.insert(document) } }

    /// Stores documents that must be new, all or none.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)``.
    public func insert(_ documents: some Sequence<Document>, durability: Durability? = nil) throws { try write(durability) { try $0.insert(documents) } }

    /// Deletes a document; returns whether it was stored.
    ///
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)`` when an object that points at it by an ``AnyReference`` denies it;
    ///   ``TroveError/invalidCollection(name:reason:)``. Then nothing is changed.
    @discardableResult
    public func delete(_ document: Document, durability: Durability? = nil) throws -> Bool { try write(durability) { try $0.delete(document) } }

    /// Deletes the document with this id; returns whether it was stored.
    @discardableResult
    public func delete(id: ObjectID, durability: Durability? = nil) throws -> Bool { try write(durability) { try $0.delete(id: id) } }

    /// Deletes the documents with these ids in one transaction; returns how many were stored.
    @discardableResult
    public func delete(ids: some Sequence<ObjectID>, durability: Durability? = nil) throws -> Int { try write(durability) { try $0.delete(ids: ids) } }

    /// Deletes all documents; returns how many there were. The collection and the numbers of its paths stay.
    @discardableResult
    public func deleteAll(durability: Durability? = nil) throws -> Int { try write(durability) { try $0.deleteAll() } }
}

extension Documents {
    /// The attributes in which the collection's documents have the dates of their saves.
    public func dates() throws -> DocumentDates {
        try source.read { try $0.openCollection(named: name).binding.documentDates ?? .none }
    }
}

extension Documents where Source == ObjectStore {
    /// The attributes in which the collection's documents have the dates of their saves.
    public func dates() async throws -> DocumentDates { try await source.read { [name] in try $0.documents(name).dates() } }
}

extension Documents where Source == WriteTransaction {
    /// Sets the attributes in which the collection's documents have the dates of their saves, from the next save on; creates the collection if needed.
    ///
    /// Documents that are stored already stay as they are.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when both dates would have one attribute; ``TroveError/invalidCollection(name:reason:)``.
    public func setDates(_ dates: DocumentDates) throws {
        if let name = dates.creation, name == dates.modification {
            throw TroveError.invalidDocumentPath(path: name, reason: "it cannot have both the creation date and the modification date; give them two names")
        }
        try source.setDates(dates == .none ? nil : dates, ofCollection: name)
    }
}

extension Documents where Source == ObjectStore {
    /// Sets the attributes in which the collection's documents have the dates of their saves, from the next save on; creates the collection if needed.
    ///
    /// ```swift
    /// let notes = store.documents("notes")
    /// try notes.setDates(DocumentDates())
    /// try notes.save(["title": "Fjord"])
    /// try notes.fetch { $0["created"] > yesterday }.all()
    /// ```
    ///
    /// Documents that are stored already stay as they are. The store keeps it, for all programs.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when both dates would have one attribute; ``TroveError/invalidCollection(name:reason:)``.
    public func setDates(_ dates: DocumentDates) throws { try source.write { try $0.documents(name).setDates(dates) } }

    /// Sets the attributes in which the collection's documents have the dates of their saves, from the next save on; creates the collection if needed.
    public func setDates(_ dates: DocumentDates) async throws {
        let name = name
        try await source.write { try $0.documents(name).setDates(dates) }
    }
}
