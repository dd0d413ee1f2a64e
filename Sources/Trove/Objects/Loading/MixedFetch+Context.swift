// What is particular to mixed fetches of a context.

extension MixedFetch where Source == ObjectContext {
    /// The objects, read on a reader thread.
    public func all() async throws -> sending [Object] { try await source.store.readPool.run { FetchedObjects(try self.all()) }.objects }

    /// The first object in the query's order; nil when there is none.
    public func first() async throws -> sending Object? { try await source.store.readPool.run { FetchedObjects(try self.first()) }.objects }

    /// One page of the objects, and the token of the next page; nil when this was the last.
    public func page(_ size: Int, after token: ContinuationToken? = nil) async throws -> sending (objects: [Object], next: ContinuationToken?) {
        try await source.store.readPool.run { FetchedObjects(try self.page(size, after: token)) }.objects
    }

    /// Calls `body` with each object, in the query's order, until it sets `stop`.
    ///
    /// All objects are read first, so that `body`, which runs outside of the store's transactions, may use and change live objects, fetch and save.
    public func forEach(_ body: (_ object: Object, _ stop: inout Bool) throws -> Void) throws {
        var stop = false
        for object in try all() where !stop { try body(object, &stop) }
    }

    /// The number of objects of all models together.
    public func count() async throws -> Int { try await source.store.readPool.run { try self.count() } }

    /// Whether there is an object.
    public func exists() async throws -> Bool { try await source.store.readPool.run { try self.exists() } }

    /// References to the objects, in the query's order.
    public func references() async throws -> [AnyReference] { try await source.store.readPool.run { try self.references() } }
}
