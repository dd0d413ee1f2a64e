extension Documents {
    /// The texts of the documents that searches for words look into; ``DocumentFullText/none`` where nothing was set.
    ///
    /// - Throws: ``TroveError/invalidCollection(name:reason:)``.
    public func fullText() throws -> DocumentFullText {
        try source.read { try $0.openCollection(named: name).binding.fullTextIndexes.first.map { DocumentFullText($0) } ?? .none }
    }
}

extension Documents where Source == ObjectStore {
    /// The texts of the documents that searches for words look into.
    public func fullText() async throws -> DocumentFullText { try await source.read { [name] in try $0.documents(name).fullText() } }

    /// Sets which texts of the documents searches for words look into, and builds their index when that is a change; creates the collection if needed.
    ///
    /// ```swift
    /// try notes.setFullText(["title": 3, "author.name": 1, "tags": 1])
    /// let hits = try notes.fetch { $0["rating"] > 5 }.limit(20).search("fjord north* NOT title:winter")
    /// for hit in hits { print(hit.score, hit.highlighted("title")) }
    /// try notes.fetch("has words 'fjord' and rating > 5 order by rating").all()
    /// ```
    ///
    /// The store keeps the setting, and every save keeps the words in step. The change is one transaction; then the words of the documents that are there are
    /// gathered in batches of a transaction each, between which others write. Until that is done, `has words` reads the documents, and a ranked search throws
    /// ``TroveError/invalidQuery(reason:)``. ``DocumentFullText/none`` ends it.
    ///
    /// - Parameters:
    ///   - fullText: the paths of the texts, or ``DocumentFullText/everyText``.
    ///   - progress: called after each batch with the documents read; when it throws, building stops with its error, and the next opening or
    ///     ``ObjectStore/buildIndexes(progress:)`` goes on.
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)`` for too many paths, one that is there twice, more than 4 with the same texts,
    ///   or a weight below 0; nothing is changed then.
    ///   ``TroveError/invalidCollection(name:reason:)``; what ``ObjectStore/buildIndexes(progress:)`` throws.
    /// - Complexity: each document is read once.
    public func setFullText(_ fullText: DocumentFullText, progress: (StoreProgress) throws -> Void = { _ in }) throws {
        try source.write { try $0.setFullText(fullText, ofCollection: name) }
        try source.buildIndexes(progress: progress)
    }

    /// Sets which texts of the documents searches for words look into, and builds their index on the maintenance thread, which runs one task at a time.
    public func setFullText(_ fullText: DocumentFullText, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }) async throws {
        let name = name
        try await source.write { try $0.setFullText(fullText, ofCollection: name) }
        try await source.buildIndexes(progress: progress)
    }
}
