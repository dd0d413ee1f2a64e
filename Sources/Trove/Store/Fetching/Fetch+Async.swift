/// The asynchronous twins read on the store's reader threads.
extension Fetch where Source == ObjectStore {
    /// The objects, read in one snapshot.
    @inlinable
    public func all() async throws -> [Object] {
        try await source.read { try $0.fetch(Object.self).all() }
    }

    /// The object with the lowest id; nil when there is none.
    @inlinable
    public func first() async throws -> Object? {
        try await source.read { try $0.fetch(Object.self).first() }
    }

    /// The number of objects.
    public func count() async throws -> Int {
        try await source.read { try $0.fetch(Object.self).count() }
    }

    /// The ids, ascending, read in one snapshot.
    public func ids() async throws -> [Object.ID] {
        try await source.read { try $0.fetch(Object.self).ids() }
    }

    /// The objects one after the other, with `batchSize` of them in memory.
    ///
    /// ```swift
    /// for try await song in store.fetch(Song.self).stream() {
    ///     if song.year > 1960 { break }
    /// }
    /// ```
    public func stream(batchSize: Int = 256) -> ObjectStream<Object> {
        ObjectStream(store: source, batchSize: max(1, batchSize))
    }
}
