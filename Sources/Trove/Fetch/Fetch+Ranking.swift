extension Fetch {
    /// The objects that contain words in the model's full-text index, the best first; equal scores are ordered by id.
    ///
    /// ```swift
    /// let hits = try store.fetch(Song.self).where { $0.year < 1965 }.limit(20).search("autumn lea* NOT live")
    /// for hit in hits { print(hit.score, hit.highlighted(\.title)) }
    /// ```
    ///
    /// The fetch's conditions, limit and offset hold. To find objects by words in another order, use `hasWords` in a condition instead.
    ///
    /// - Parameter words: what to look for, as ``FullTextQuery/init(_:)`` reads it.
    /// - Throws: ``TroveError/invalidFullTextQuery(text:position:reason:)``; ``TroveError/invalidQuery(reason:)`` when the model has no such index or several,
    ///   when the index is not ready, or when the fetch is sorted.
    public func search(_ words: String) throws -> [SearchHit<Object>] {
        try search(FullTextQuery(words))
    }

    /// The objects that contain words in one of their texts, the best first; equal scores are ordered by id.
    ///
    /// - Throws: as ``search(_:)``, and when the property is in no full-text index.
    public func search<Value>(_ words: String, in property: KeyPath<Object, Value> & Sendable) throws -> [SearchHit<Object>] {
        try search(FullTextQuery(words), in: property)
    }

    /// The objects that a full-text query finds, the best first; equal scores are ordered by id.
    public func search(_ query: FullTextQuery) throws -> [SearchHit<Object>] {
        try source.read(of: draft) { try $0.ranked(query, nil, draft) }
    }

    /// The objects that a full-text query finds in one of their texts, the best first; equal scores are ordered by id.
    public func search<Value>(_ query: FullTextQuery, in property: KeyPath<Object, Value> & Sendable) throws -> [SearchHit<Object>] {
        let path = try Object.path(property)
        return try source.read(of: draft) { try $0.ranked(query.restricted(to: path), path, draft) }
    }
}

/// The asynchronous twins search on the store's reader threads.
extension Fetch where Source: AsyncObjectSource {
    /// The objects that contain words in the model's full-text index, the best first.
    public func search(_ words: String) async throws -> [SearchHit<Object>] {
        try await search(FullTextQuery(words))
    }

    /// The objects that contain words in one of their texts, the best first.
    public func search<Value>(_ words: String, in property: KeyPath<Object, Value> & Sendable) async throws -> [SearchHit<Object>] {
        try await search(FullTextQuery(words), in: property)
    }

    /// The objects that a full-text query finds, the best first.
    public func search(_ query: FullTextQuery) async throws -> [SearchHit<Object>] {
        try await source._onReader { try self.search(query) }
    }

    /// The objects that a full-text query finds in one of their texts, the best first.
    public func search<Value>(_ query: FullTextQuery, in property: KeyPath<Object, Value> & Sendable) async throws -> [SearchHit<Object>] {
        try await source._onReader { try self.search(query, in: property) }
    }
}

extension ReadTransaction {
    /// The objects of one model that a query finds, the best first.
    ///
    /// - Parameter path: the text that alone is searched, for which the query is ``FullTextQuery/restricted(to:)`` it; nil for all.
    func ranked<Object: Model>(_ query: FullTextQuery, _ path: FieldPath?, _ draft: QueryDraft) throws -> [SearchHit<Object>] {
        let model = try open(Object.self, draft)
        return try ranked(query, path, of: model, draft) { record, key in
            var object: Object?
            try withDecoder(record, key: key, model) { object = try self.object(&$0) }
            return object
        }
    }

    /// The same, of records from which `make` makes the objects.
    func ranked<Object>(
        _ query: FullTextQuery, _ path: FieldPath?, of model: OpenModel, _ draft: QueryDraft, _ make: (_ record: RawSpan, _ key: RawSpan) throws -> Object?
    ) throws -> [SearchHit<Object>] {
        let wanted = try draft.checkedQuery()
        guard wanted.sort.isEmpty, draft.start == nil else {
            throw TroveError.invalidQuery(reason: "a ranked search has its own order; remove the sort and the token, or use hasWords in a condition")
        }
        let watch = draft.watch(heedsCancellation: !(self is WriteTransaction))
        try watch.look()
        try FilterCompiler.checkSize(of: wanted.filter)
        let schema = try model.binding.fullTextSchema(of: path)
        try flushIndexes()
        guard try indexTable.canTellAll(of: model.binding) else {
            let name = model.binding.schema.name
            throw TroveError.invalidQuery(
                reason: "the records of \(name) have several layouts, so only a program with the model ranks them; use hasWords in a condition")
        }
        guard let index = try usableIndexes(of: model.binding).first(where: { $0.schema == schema }), let words = try index.fullTextIndex() else {
            throw TroveError.invalidQuery(reason: "the full-text index '\(schema.name)' of \(model.binding.schema.name) is not ready: it is being built, or building it stopped; see indexingError, or call buildIndexes()")
        }
        index.uses.add()
        let highlighter = try FullTextHighlighter(query, fields: words.fields, options: words.options)
        let filter = wanted.filter == .constant(true) ? nil : try CompiledFilter(
            SemiJoin(self, model.binding, hops: 0, watch).rewritten(wanted.filter), in: model.binding, asking: self, watch)
        guard let keyspace = model.keyspace else { return [] }
        let reader = try reader
        let search = FullTextSearch(
            index: words, reader: reader, watch: watch, wholeKey: model.binding.hasLongIDs ? { try self.wholeKey($0, in: keyspace) } : nil)
        let matches = try search.best(
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
        var steps = watch
        try reader.getMany(matches.lazy.map(\.recordKey), in: keyspace) { position, record in
            try steps.step()
            guard let record else { throw index.corrupt("it has words of an object that is gone") }
            let match = matches[position]
            guard let object = try make(record, match.recordKey.span.bytes) else { return }
            hits.append(SearchHit(object: object, score: match.score, highlighter: highlighter))
        }
        return hits
    }
}
