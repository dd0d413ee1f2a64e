/// What is particular to fetches of a context.
extension Fetch where Source == ObjectContext {
    /// Calls `body` with each object, in the query's order, until it sets `stop`.
    ///
    /// `body` runs outside of the store's transactions, so it may use and change live objects, fetch and save. Without pending changes at the beginning
    /// the objects are read in batches, as ``stream(batchSize:)`` reads them, and memory stays flat; what `body` changes does not show in
    /// which objects are given. With pending changes all objects are read first.
    public func forEach(_ body: (_ object: Object, _ stop: inout Bool) throws -> Void) throws {
        var stop = false
        var batches = ContextBatches(self, size: 256)
        while let batch = try batches.next() {
            for object in batch {
                try body(object, &stop)
                if stop { return }
            }
        }
    }

    /// The objects, read on a reader thread.
    public func all() async throws -> [Object] {
        try await source.store.readPool.run { try self.all() }
    }

    /// The first object in the query's order; nil when there is none.
    public func first() async throws -> Object? {
        try await source.store.readPool.run { try self.first() }
    }

    /// The ids of the objects, in the query's order.
    public func ids() async throws -> [Object.ID] {
        try await source.store.readPool.run { try self.ids() }
    }

    /// The number of objects.
    public func count() async throws -> Int {
        try await source.store.readPool.run { try self.count() }
    }

    /// Whether there is an object.
    public func exists() async throws -> Bool {
        try await source.store.readPool.run { try self.exists() }
    }

    /// One page of the objects, and the token of the next page; nil when this was the last.
    public func page(_ size: Int, after token: ContinuationToken? = nil) async throws -> (objects: [Object], next: ContinuationToken?) {
        try await source.store.readPool.run { try self.page(size, after: token) }
    }

    /// The objects one after the other in the query's order, with `batchSize` of them in memory.
    ///
    /// Without pending changes at the beginning each batch is read in a snapshot of its own; with some, all objects are read first.
    public func stream(batchSize: Int = 256) -> ContextStream<Object> {
        ContextStream(fetch: self, batchSize: max(1, batchSize))
    }
}

extension Fetch where Source == ObjectContext, Object: LiveModel {
    /// Marks all objects as deleted, and returns how many there are; the next save deletes them.
    @discardableResult
    public func delete() throws -> Int {
        let objects = try all()
        try source.delete(objects as [any LiveModel])
        return objects.count
    }
}
