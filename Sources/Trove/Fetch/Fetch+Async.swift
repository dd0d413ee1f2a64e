/// The asynchronous twins read on the store's reader threads.
extension Fetch where Source == ObjectStore {
    /// The objects, read in one snapshot.
    @inlinable
    public func all() async throws -> [Object] {
        let draft = draft
        return try await source.read { try Fetch<Object, ReadTransaction>(source: $0, draft: draft).all() }
    }

    /// The first object in the query's order; nil when there is none.
    @inlinable
    public func first() async throws -> Object? {
        let draft = draft
        return try await source.read { try Fetch<Object, ReadTransaction>(source: $0, draft: draft).first() }
    }

    /// The ids of the objects, in the query's order.
    public func ids() async throws -> [Object.ID] {
        let draft = draft
        return try await source.read { try Fetch<Object, ReadTransaction>(source: $0, draft: draft).ids() }
    }

    /// The number of objects.
    public func count() async throws -> Int {
        let draft = draft
        return try await source.read { try Fetch<Object, ReadTransaction>(source: $0, draft: draft).count() }
    }

    /// Whether there is an object.
    public func exists() async throws -> Bool {
        let draft = draft
        return try await source.read { try Fetch<Object, ReadTransaction>(source: $0, draft: draft).exists() }
    }

    /// One page of the objects, and the token of the next page; nil when this was the last.
    @inlinable
    public func page(_ size: Int, after token: ContinuationToken? = nil) async throws -> (objects: [Object], next: ContinuationToken?) {
        let draft = draft
        return try await source.read { try Fetch<Object, ReadTransaction>(source: $0, draft: draft).page(size, after: token) }
    }

    /// The plan of the query.
    public func explain(running: Bool = true) async throws -> Explanation {
        let draft = draft
        return try await source.read { try Fetch<Object, ReadTransaction>(source: $0, draft: draft).explain(running: running) }
    }

    /// The objects one after the other, in the query's order, with `batchSize` of them in memory.
    ///
    /// ```swift
    /// for try await song in store.fetch(Song.self).stream() {
    ///     if song.year > 1960 { break }
    /// }
    /// ```
    public func stream(batchSize: Int = 256) -> ObjectStream<Object> {
        ObjectStream(store: source, draft: draft, batchSize: max(1, batchSize))
    }
}
