/// Ranked searches of documents, whose texts go by paths.
extension Fetch where Object == Document {
    /// The documents that contain words in the texts at one path, the best first; equal scores are ordered by id.
    ///
    /// ```swift
    /// let hits = try notes.fetch().limit(20).search("fjord north*", in: "title")
    /// ```
    ///
    /// - Parameters:
    ///   - words: what to look for, as ``FullTextQuery/init(_:)`` reads it.
    ///   - path: one of the paths that ``Documents/setFullText(_:progress:)`` was given.
    /// - Throws: as ``search(_:)``, and when the path is none of those.
    public func search(_ words: String, in path: DocumentPath) throws -> [SearchHit<Document>] { try search(FullTextQuery(words), in: path) }

    /// The documents that a full-text query finds in the texts at one path, the best first; equal scores are ordered by id.
    public func search(_ query: FullTextQuery, in path: DocumentPath) throws -> [SearchHit<Document>] {
        let path = Document.path(at: path)
        return try source.read(of: draft) { try $0.ranked(query.restricted(to: path), path, draft) }
    }
}

extension Fetch where Object == Document, Source: AsyncObjectSource {
    /// The documents that contain words in the texts at one path, the best first.
    public func search(_ words: String, in path: DocumentPath) async throws -> [SearchHit<Document>] { try await search(FullTextQuery(words), in: path) }

    /// The documents that a full-text query finds in the texts at one path, the best first.
    public func search(_ query: FullTextQuery, in path: DocumentPath) async throws -> [SearchHit<Document>] {
        try await source._onReader { try self.search(query, in: path) }
    }
}

/// Ranked searches of the objects of a model by its name, in the full-text indexes that the model declares.
extension MixedFetch where Object == ModelDocument {
    /// The objects that contain words in the model's full-text index, the best first; equal scores are ordered by id.
    ///
    /// ```swift
    /// for hit in try store.documents(of: "Song").fetch("year < 1965").search("autumn lea*") { print(hit.score, hit.highlighted("title")) }
    /// ```
    ///
    /// - Throws: what ``Fetch/search(_:)`` throws; ``TroveError/invalidQuery(reason:)`` also when the program does not have the model, and its
    ///   records have several layouts.
    public func search(_ words: String) throws -> [SearchHit<ModelDocument>] { try search(FullTextQuery(words)) }

    /// The objects that contain words in one of their texts, the best first; equal scores are ordered by id.
    public func search(_ words: String, in path: DocumentPath) throws -> [SearchHit<ModelDocument>] { try search(FullTextQuery(words), in: path) }

    /// The objects that a full-text query finds, the best first; equal scores are ordered by id.
    public func search(_ query: FullTextQuery) throws -> [SearchHit<ModelDocument>] { try ranked(query, nil) }

    /// The objects that a full-text query finds in one of their texts, the best first; equal scores are ordered by id.
    public func search(_ query: FullTextQuery, in path: DocumentPath) throws -> [SearchHit<ModelDocument>] { try ranked(query, FieldPath(of: path)) }

    private func ranked(_ query: FullTextQuery, _ path: FieldPath?) throws -> [SearchHit<ModelDocument>] {
        try read { transaction, parts in
            var hits: [SearchHit<ModelDocument>] = []
            // There is one model.
            for part in parts {
                hits += try transaction.ranked(query.restricted(to: path), path, of: part.model, MixedRun.draft(draft, of: part.model)) {
                    try part.make($0, $1, transaction)
                }
            }
            return hits
        }
    }
}

extension MixedFetch where Object == ModelDocument, Source == ObjectStore {
    /// The objects that contain words in the model's full-text index, the best first.
    public func search(_ words: String) async throws -> [SearchHit<ModelDocument>] { try await search(FullTextQuery(words)) }

    /// The objects that contain words in one of their texts, the best first.
    public func search(_ words: String, in path: DocumentPath) async throws -> [SearchHit<ModelDocument>] {
        try await search(FullTextQuery(words), in: path)
    }

    /// The objects that a full-text query finds, the best first.
    public func search(_ query: FullTextQuery) async throws -> [SearchHit<ModelDocument>] { try await source.readPool.run { try self.search(query) } }

    /// The objects that a full-text query finds in one of their texts, the best first.
    public func search(_ query: FullTextQuery, in path: DocumentPath) async throws -> [SearchHit<ModelDocument>] {
        try await source.readPool.run { try self.search(query, in: path) }
    }
}
