/// What is particular to fetches of a context.
extension Fetch where Source == ObjectContext {
    /// The objects one after the other, in the query's order, with `batchSize` of them in memory.
    ///
    /// Without pending changes at the beginning each batch is read in a snapshot of its own; with some, all objects are read first.
    public func stream(batchSize: Int = 256) -> ContextStream<Object> {
        ContextStream(fetch: self, batchSize: max(1, batchSize))
    }
}

extension Fetch where Source == ObjectContext, Object: LiveModel {
    @available(*, unavailable, message: "objects of a context are changed as other objects are: 'for object in try fetch.all() { … }', and the context is saved; many records at once are changed by a fetch of the store")
    @discardableResult
    public func update(_ change: (inout Object) throws -> Void) throws -> Int { 0 }

    /// Marks all objects as deleted; the next save deletes them. Returns the number of objects. All of them are read.
    ///
    /// - Throws: what ``all()`` throws; then none is marked.
    @discardableResult
    public func delete() throws -> Int {
        let objects = try all()
        try source.delete(objects as [any LiveModel])
        return objects.count
    }
}

/// The results of a context's fetch, batch after batch, each read in a transaction of its own.
///
/// Whether pending changes show is settled by the first batch: were each to do the changes that were made since the one before, a walk that changes
/// each object would take quadratic time.
struct ContextBatches<Object: Model>: Sendable {
    private let fetch: Fetch<Object, SavedObjects>
    private let size: Int
    private let mayChange: Bool
    private var place: StreamPlace?

    init(_ fetch: Fetch<Object, ObjectContext>, size: Int) {
        self.init(Fetch(source: SavedObjects(context: fetch.source, includesPendingChanges: true), draft: fetch.draft), size: size)
    }

    /// - Parameter mayChange: whether who is given the objects may change where they are in the order, and save that: see ``StreamPlace/mayChange``.
    init(_ fetch: Fetch<Object, SavedObjects>, size: Int, mayChange: Bool = false) {
        self.fetch = fetch
        self.size = size
        self.mayChange = mayChange
    }

    /// The next objects, possibly none; nil at the end.
    mutating func next() throws -> [Object]? {
        var start = place ?? StreamPlace(fetch.draft)
        start.mayChange = mayChange
        if start.isAtEnd { return nil }
        let (source, context) = (fetch.source, fetch.source.context)
        if place == nil, try context.activeTransaction != nil || source.includesPendingChanges && context.pendingChangesConcern(fetch.draft) {
            start.isAtEnd = true
            place = start
            return try fetch.all()
        }
        let (objects, next) = try context.read(includingPendingChanges: false) { try $0.batch(of: Object.self, after: start, size: size) }
        place = next
        return objects
    }
}

extension ObjectContext: _LiveSource {
    public var _live: (any _LiveSource)? { self }

    public func _batches<Object: Model>(of type: Object.Type, _ scope: _QueryScope) -> () throws -> [Object]? {
        SavedObjects(context: self, includesPendingChanges: true)._batches(of: type, scope)
    }
}

extension SavedObjects: _LiveSource {
    public var _live: (any _LiveSource)? { self }

    public func _batches<Object: Model>(of type: Object.Type, _ scope: _QueryScope) -> () throws -> [Object]? {
        var batches = ContextBatches(Fetch<Object, SavedObjects>(source: self, draft: scope.draft), size: 256, mayChange: true)
        return { try batches.next() }
    }
}

/// The objects of a context's fetch as an asynchronous sequence, in the query's order; when it is ended early, it reads no further.
public struct ContextStream<Object: Model>: AsyncSequence, Sendable {
    public typealias Element = Object
    public typealias Failure = any Error

    let fetch: Fetch<Object, ObjectContext>
    let batchSize: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(store: fetch.source.store, batches: ContextBatches(fetch, size: batchSize))
    }

    /// Reads batch after batch.
    public struct Iterator: AsyncIteratorProtocol {
        private let store: ObjectStore
        private var batches: ContextBatches<Object>
        private var batch: [Object] = []
        private var position = 0

        init(store: ObjectStore, batches: ContextBatches<Object>) {
            self.store = store
            self.batches = batches
        }

        public mutating func next() async throws -> Object? {
            while position == batch.count {
                let (next, rest) = try await store.readPool.run { [batches] in
                    var batches = batches
                    return (try batches.next(), batches)
                }
                batches = rest
                guard let next else { return nil }
                batch = next
                position = 0
            }
            defer { position += 1 }
            return batch[position]
        }
    }
}

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

    /// The number of objects of all models together.
    public func count() async throws -> Int { try await source.store.readPool.run { try self.count() } }

    /// Whether there is an object.
    public func exists() async throws -> Bool { try await source.store.readPool.run { try self.exists() } }

    /// References to the objects, in the query's order.
    public func references() async throws -> [AnyReference] { try await source.store.readPool.run { try self.references() } }
}
