extension StoreSnapshot: AsyncObjectSource {
    public func _onReader<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result { try await queue.run(body) }
}

extension StoreSnapshot {
    /// The object with this id; nil when there is none.
    ///
    /// - Throws: ``TroveError`` when the record is damaged or a value does not fit its property; ``TroveError/snapshotClosed(path:)``.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Object? { try read { try $0.fetch(type, id: id) } }

    /// The objects with these ids, in the order of the ids; an id without an object is left out.
    ///
    /// - Throws: ``TroveError`` when a record is damaged or a value does not fit its property; ``TroveError/snapshotClosed(path:)``.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] { try read { try $0.fetch(type, ids: ids) } }

    /// Whether there is an object with this id.
    @inlinable
    public func contains<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Bool { try read { try $0.contains(type, id: id) } }

    /// The number of objects of each model, by the models' names: those that the program has and those that other programs have stored.
    ///
    /// - Complexity: as of counting all objects of each.
    public func counts() throws -> [String: Int] { try read { try $0.counts() } }
}

/// The asynchronous twins, which throw what these throw.
extension StoreSnapshot {
    /// The object with this id; nil when there is none.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) async throws -> Object? { try await read { try $0.fetch(type, id: id) } }

    /// The objects with these ids, in the order of the ids; an id without an object is left out.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID> & Sendable) async throws -> [Object] {
        try await read { try $0.fetch(type, ids: ids) }
    }

    /// Whether there is an object with this id.
    @inlinable
    public func contains<Object: Model>(_ type: Object.Type, id: Object.ID) async throws -> Bool { try await read { try $0.contains(type, id: id) } }

    /// The number of objects of each model, by the models' names.
    public func counts() async throws -> [String: Int] { try await read { try $0.counts() } }
}

extension Fetch where Source == StoreSnapshot {
    /// The objects one after the other, in the query's order, with `batchSize` of them in memory; all of the one state.
    ///
    /// ```swift
    /// for try await song in try store.snapshot().fetch(Song.self).stream() { try export(song) }
    /// ```
    ///
    /// The stream keeps the snapshot alive. Between two batches other reads of the snapshot have their turn.
    public func stream(batchSize: Int = 256) -> ObjectStream<Object> { ObjectStream(source: source, draft: draft, batchSize: max(1, batchSize)) }
}
