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
    /// - Throws: as ``search(_:)-swift.method``, and when the property is in no full-text index.
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
    fileprivate func ranked<Object: Model>(_ query: FullTextQuery, _ path: FieldPath?, _ draft: QueryDraft) throws -> [SearchHit<Object>] {
        let wanted = try draft.checkedQuery()
        guard wanted.sort.isEmpty, draft.start == nil else {
            throw TroveError.invalidQuery(reason: "a ranked search has its own order; remove the sort and the token, or use hasWords in a condition")
        }
        let watch = draft.watch(heedsCancellation: !(self is WriteTransaction))
        try watch.look()
        try FilterCompiler.checkSize(of: wanted.filter)
        let model = try open(Object.self, draft)
        let schema = try model.binding.fullTextSchema(of: path)
        try flushIndexes()
        guard let index = try usableIndexes(of: model.binding).first(where: { $0.schema == schema }), let words = try index.fullTextIndex() else {
            throw TroveError.invalidQuery(reason: "the full-text index '\(schema.name)' of \(model.binding.schema.name) is not ready: it is being built, or building it stopped; see indexingError, or call buildIndexes()")
        }
        index.uses.add()
        let highlighter = try FullTextHighlighter(query, fields: words.fields, options: words.options)
        let filter = wanted.filter == .constant(true) ? nil : try CompiledFilter(
            SemiJoin(self, model.binding, hops: 0, watch).rewritten(wanted.filter), in: model.binding, asking: self, watch)
        guard let keyspace = model.keyspace else { return [] }
        let reader = try reader
        let matches = try FullTextSearch(index: words, reader: reader, watch: watch).best(
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
            try withDecoder(record, key: match.recordKey.span.bytes, model) { decoder in
                hits.append(SearchHit(object: try object(&decoder), score: match.score, highlighter: highlighter))
            }
        }
        return hits
    }
}

/// An object that a ranked full-text search found.
public struct SearchHit<Object: Model>: Sendable {
    /// The object that was found.
    public let object: Object
    /// The score of the object, by BM25 with the weights of the fields: comparable within one search, and 0 where only a NOT finds the object.
    public let score: Double
    private let highlighter: FullTextHighlighter

    init(object: Object, score: Double, highlighter: FullTextHighlighter) {
        self.object = object
        self.score = score
        self.highlighter = highlighter
    }

    /// The ranges of the words sought in a text of the object, ascending and without overlap; none for a property that was not searched.
    public func ranges(in property: KeyPath<Object, String> & Sendable) -> [Range<String.Index>] {
        field(property).map { highlighter.ranges(in: object[keyPath: property], field: $0) } ?? []
    }

    /// A text of the object with `before` and `after` around the words sought.
    ///
    /// ```swift
    /// hit.highlighted(\.title, before: "<b>", after: "</b>")
    /// ```
    ///
    /// Nothing is escaped: for HTML, take ``ranges(in:)`` instead.
    public func highlighted(_ property: KeyPath<Object, String> & Sendable, before: String = "[", after: String = "]") -> String {
        let text = object[keyPath: property]
        return field(property).map { highlighter.highlighted(text, field: $0, before: before, after: after) } ?? text
    }

    /// The part of a text with most of the words sought, which are marked, in the middle of their context.
    ///
    /// - Parameters:
    ///   - words: how many words the part has, at least 1.
    ///   - ellipsis: what stands where text is left out.
    public func snippet(
        of property: KeyPath<Object, String> & Sendable, words: Int = 16, before: String = "[", after: String = "]", ellipsis: String = "…"
    ) -> String {
        let text = object[keyPath: property]
        guard let field = field(property) else { return text }
        return highlighter.snippet(of: text, field: field, words: words, before: before, after: after, ellipsis: ellipsis)
    }

    /// The property's name in the index; nil when it is not stored.
    private func field(_ property: PartialKeyPath<Object>) -> String? {
        do {
            return try Object.path(property).description
        } catch {
            // A computed property has no words in the index, so nothing of it is marked.
            return nil
        }
    }
}
