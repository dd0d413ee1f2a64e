/// The asynchronous twins read on the store's reader threads.
extension Fetch where Source: AsyncObjectSource {
    /// The objects, read in one snapshot.
    @inlinable
    public func all() async throws -> [Object] { try await source._onReader { try self.all() } }

    /// The first object in the query's order; nil when there is none.
    @inlinable
    public func first() async throws -> Object? { try await source._onReader { try self.first() } }

    /// The ids of the objects, in the query's order.
    public func ids() async throws -> [Object.ID] { try await source._onReader { try self.ids() } }

    /// The number of objects.
    public func count() async throws -> Int { try await source._onReader { try self.count() } }

    /// Whether there is an object.
    public func exists() async throws -> Bool { try await source._onReader { try self.exists() } }

    /// One page of the objects, and the token of the next page; nil when this was the last.
    @inlinable
    public func page(_ size: Int, after token: ContinuationToken? = nil) async throws -> (objects: [Object], next: ContinuationToken?) {
        try await source._onReader { try self.page(size, after: token) }
    }

    /// The plan of the query.
    public func explain(running: Bool = true) async throws -> Explanation { try await source._onReader { try self.explain(running: running) } }
}

extension Fetch where Source == ObjectStore {
    /// The objects one after the other, in the query's order, with `batchSize` of them in memory.
    ///
    /// ```swift
    /// for try await song in store.fetch(Song.self).stream() {
    ///     if song.year > 1960 { break }
    /// }
    /// ```
    public func stream(batchSize: Int = 256) -> ObjectStream<Object> {
        ObjectStream(source: source, draft: draft, batchSize: max(1, batchSize))
    }
}

/// The objects of a query as an asynchronous sequence, in the query's order; when it is ended early, it reads no further.
///
/// Objects are read ahead in batches, each batch in a snapshot of its own, so that a slow consumer neither holds a
/// thread nor keeps the engine from reusing space. Each batch goes on behind the place of the last object, so none comes twice and none is left out
/// but those whose place in the order is changed meanwhile. Where no index gives the order, the first batch sorts all keys, and the later
/// ones read those that still pass the filter. Conditions behind references are asked once for each batch, in its
/// snapshot. For one consistent view stream from a ``StoreSnapshot``, all of whose batches are of its state, or use ``Fetch/forEach(_:)`` in
/// ``ObjectStore/read(_:)``.
public struct ObjectStream<Object: Model>: AsyncSequence, Sendable {
    public typealias Element = Object
    public typealias Failure = any Error

    let source: any AsyncObjectSource
    let draft: QueryDraft
    let batchSize: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source, place: StreamPlace(draft), batchSize: batchSize)
    }

    /// Reads batch after batch.
    public struct Iterator: AsyncIteratorProtocol {
        private let source: any AsyncObjectSource
        private let batchSize: Int
        private var place: StreamPlace
        private var batch: [Object] = []
        private var position = 0

        init(source: any AsyncObjectSource, place: StreamPlace, batchSize: Int) {
            self.source = source
            self.place = place
            self.batchSize = batchSize
        }

        public mutating func next() async throws -> Object? {
            while position == batch.count {
                if place.isAtEnd { return nil }
                let (source, start, size) = (source, place, batchSize)
                (batch, place) = try await source._onReader { try source.read { try $0.batch(of: Object.self, after: start, size: size) } }
                position = 0
            }
            defer { position += 1 }
            return batch[position]
        }
    }
}

extension ReadTransaction {
    /// Up to `size` objects behind a place, and the place behind them.
    func batch<Object: Model>(of type: Object.Type, after start: StreamPlace, size: Int) throws -> ([Object], StreamPlace) {
        var objects: [Object] = []
        objects.reserveCapacity(min(size, 1_024))
        let model = try open(type, start.draft)
        let next = try forEachRecord(of: model, behind: start, size: size) { key, record in
            try withDecoder(record, key: key, model) { objects.append(try object(&$0)) }
            return .next
        }
        return (objects, next)
    }
}
