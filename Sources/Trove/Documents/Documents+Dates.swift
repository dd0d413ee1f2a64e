extension Documents {
    /// The attributes in which the collection's documents have the dates of their saves.
    public func dates() throws -> DocumentDates {
        try source.read { try $0.openCollection(named: name).binding.documentDates ?? .none }
    }
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
