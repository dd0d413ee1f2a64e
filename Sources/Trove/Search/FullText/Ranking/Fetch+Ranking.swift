extension Fetch {
    /// The objects that have words in a full-text index, the best first, those of the same score by id.
    ///
    /// ```swift
    /// let hits = try store.fetch(Song.self).where { $0.year < 1965 }.limit(20).search("autumn lea* NOT live")
    /// for hit in hits { print(hit.score, hit.highlighted(\.title)) }
    /// ```
    ///
    /// The fetch's conditions, limit and offset hold. To find objects by words in another order, use `hasWords` in a condition instead.
    ///
    /// - Parameters:
    ///   - words: what to look for, as ``FullTextQuery/init(_:)`` reads it.
    ///   - property: the text to search in; nil for all texts of the model's full-text index.
    /// - Throws: ``TroveError/invalidFullTextQuery(text:position:reason:)``; ``TroveError/invalidQuery(reason:)`` when the model has no such index, when the
    ///   index is still being built, or when the fetch is sorted.
    public func search(_ words: String, in property: (PartialKeyPath<Object> & Sendable)? = nil) throws -> [SearchHit<Object>] {
        try search(FullTextQuery(words), in: property)
    }

    /// The objects that a full-text query finds, the best first, those of the same score by id.
    ///
    /// - Throws: as ``search(_:in:)-swift.method`` of a text.
    public func search(_ query: FullTextQuery, in property: (PartialKeyPath<Object> & Sendable)? = nil) throws -> [SearchHit<Object>] {
        let path = try property.map { try Object.path($0) }
        return try source.read { try $0.ranked(query.restricted(to: path), path, draft) }
    }
}

extension Fetch where Source == ObjectStore {
    /// The objects that have words in a full-text index, the best first, found on a reader thread.
    public func search(_ words: String, in property: (PartialKeyPath<Object> & Sendable)? = nil) async throws -> [SearchHit<Object>] {
        try await search(FullTextQuery(words), in: property)
    }

    /// The objects that a full-text query finds, the best first, found on a reader thread.
    public func search(_ query: FullTextQuery, in property: (PartialKeyPath<Object> & Sendable)? = nil) async throws -> [SearchHit<Object>] {
        let fetch = self
        return try await source.read { try $0.fetch(as: fetch).search(query, in: property) }
    }
}

extension ReadTransaction {
    fileprivate func ranked<Object: Model>(_ query: FullTextQuery, _ path: FieldPath?, _ draft: QueryDraft) throws -> [SearchHit<Object>] {
        let wanted = try draft.checkedQuery()
        guard wanted.sort.isEmpty, draft.start == nil else {
            throw TroveError.invalidQuery(reason: "a ranked search has an order of its own; leave the sort and the token out, or use hasWords in a condition")
        }
        let model = try open(Object.self)
        let schema = try model.binding.fullTextSchema(of: path)
        try flushIndexes()
        guard let index = try usableIndexes(of: model.binding).first(where: { $0.schema == schema }), let words = try index.fullTextIndex() else {
            throw TroveError.invalidQuery(reason: "the full-text index '\(schema.name)' of \(model.binding.schema.name) is still being built")
        }
        let highlighter = try FullTextHighlighter(query, fields: words.fields, options: words.options)
        let filter = wanted.filter == .constant(true) ? nil : try CompiledFilter(wanted.filter, in: model.binding)
        guard let keyspace = model.keyspace else { return [] }
        let reader = try reader
        let matches = try FullTextSearch(index: words, reader: reader).best(
            wanted.limit ?? .max, offset: wanted.offset, of: query, where: filter.map { filter in
                { key in
                    var passes = false
                    _ = try reader.get(key, in: keyspace) { record in
                        try self.withRecordView(record, key: key, model) { passes = try filter.matches($0) }
                    }
                    return passes
                }
            })
        var hits: [SearchHit<Object>] = []
        hits.reserveCapacity(matches.count)
        try reader.getMany(matches.map(\.recordKey), in: keyspace) { position, record in
            guard let record else { throw index.corrupt("it has words of an object that is gone") }
            let match = matches[position]
            try withDecoder(record, key: match.recordKey.span.bytes, model) { decoder in
                hits.append(SearchHit(object: try object(&decoder), score: match.score, highlighter: highlighter))
            }
        }
        return hits
    }
}
