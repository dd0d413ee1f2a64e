/// The asynchronous twins read on the store's reader threads.
extension MixedFetch where Source == ObjectStore {
    /// The objects, read in one snapshot.
    public func all() async throws -> sending [Object] { try await source.readPool.run { FetchedObjects(try self.all()) }.objects }

    /// The first object in the query's order; nil when there is none.
    public func first() async throws -> sending Object? { try await source.readPool.run { FetchedObjects(try self.first()) }.objects }

    /// One page of the objects, and the token of the next page; nil when this was the last.
    public func page(_ size: Int, after token: ContinuationToken? = nil) async throws -> sending (objects: [Object], next: ContinuationToken?) {
        try await source.readPool.run { FetchedObjects(try self.page(size, after: token)) }.objects
    }

    /// The number of objects of all models together.
    public func count() async throws -> Int { try await source.readPool.run { try self.count() } }

    /// Whether there is an object.
    public func exists() async throws -> Bool { try await source.readPool.run { try self.exists() } }

    /// References to the objects, in the query's order.
    public func references() async throws -> [AnyReference] { try await source.readPool.run { try self.references() } }
}

/// Objects on their way from a reader's thread. Unchecked: each is one of a model, and models are `Sendable`, though a protocol that they conform to may not say so.
struct FetchedObjects<Objects>: @unchecked Sendable {
    let objects: Objects

    init(_ objects: Objects) { self.objects = objects }
}
