/// The asynchronous twins read on the store's reader threads.
extension MixedFetch where Source == ObjectStore, Object: Sendable {
    /// The objects, read in one snapshot.
    public func all() async throws -> [Object] { try await source.readPool.run { try self.all() } }

    /// The first object in the query's order; nil when there is none.
    public func first() async throws -> Object? { try await source.readPool.run { try self.first() } }

    /// One page of the objects, and the token of the next page; nil when this was the last.
    public func page(_ size: Int, after token: ContinuationToken? = nil) async throws -> (objects: [Object], next: ContinuationToken?) {
        try await source.readPool.run { try self.page(size, after: token) }
    }
}

extension MixedFetch where Source == ObjectStore {
    /// The number of objects of all models together.
    public func count() async throws -> Int { try await source.readPool.run { try self.count() } }

    /// Whether there is an object.
    public func exists() async throws -> Bool { try await source.readPool.run { try self.exists() } }

    /// References to the objects, in the query's order.
    public func references() async throws -> [AnyReference] { try await source.readPool.run { try self.references() } }
}
