extension Fetch {
    /// The first object in the query's order.
    ///
    /// ```swift
    /// let song = try store.fetch(Song.self).where { $0.title == "So What" }.requireFirst()
    /// ```
    ///
    /// - Throws: ``TroveError/notFound(query:)`` when there is none.
    @inlinable
    public func requireFirst() throws -> Object {
        guard let first = try first() else { throw notFound }
        return first
    }

    /// The last object in the query's order; nil when there is none.
    ///
    /// - Complexity: that of the first object of the opposite order; with a limit, an offset or a token that of counting the objects besides.
    public func last() throws -> Object? {
        if draft.isWhole { return try reversed.first() }
        // The place of the last one is not that from the end.
        let all = self
        return try source.read(of: draft) { transaction in
            let count = try transaction.countResults(Object.self, all.draft)
            if count == 0 { return nil }
            let last = Fetch<Object, ReadTransaction>(source: transaction, draft: all.draft)
            return try last.offset(all.draft.query.offset + count - 1).limit(1).first()
        }
    }

    /// The same objects in the opposite order, those with equal values descending by id.
    private var reversed: Fetch {
        changing { query in
            query.sort = query.sort.map { SortKey($0.path, $0.direction == .ascending ? .descending : .ascending, ignoringCase: $0.ignoringCase) }
            query.sort.append(SortKey(.id, .descending))
        }
    }

    @usableFromInline var notFound: TroveError { .notFound(query: "\(draft.query.model) \(draft.query.filter.explained)") }
}

extension Fetch where Source == ObjectStore {
    /// The first object in the query's order.
    ///
    /// - Throws: ``TroveError/notFound(query:)`` when there is none.
    public func requireFirst() async throws -> Object {
        guard let first = try await first() else { throw notFound }
        return first
    }

    /// The last object in the query's order; nil when there is none.
    public func last() async throws -> Object? {
        let fetch = self
        return try await source.read { try $0.fetch(as: fetch).last() }
    }
}
