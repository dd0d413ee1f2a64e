/// The objects of a query as an asynchronous sequence, in the query's order; when it is ended early, it reads no further.
///
/// Objects are read ahead in batches, each batch in a snapshot of its own, so that a slow consumer neither holds a
/// thread nor keeps the engine from reusing space. Each batch goes on behind the place of the last object, so none comes twice and none is left out
/// but those whose place in the order is changed meanwhile. Where no index gives the order, the first batch sorts all keys, and the later
/// ones read those that still pass the filter. For one consistent view use ``Fetch/forEach(_:)-swift.method`` in ``ObjectStore/read(_:)-swift.method``.
public struct ObjectStream<Object: Model>: AsyncSequence, Sendable {
    public typealias Element = Object
    public typealias Failure = any Error

    let store: ObjectStore
    let draft: QueryDraft
    let batchSize: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(store: store, place: StreamPlace(draft), batchSize: batchSize)
    }

    /// Reads batch after batch.
    public struct Iterator: AsyncIteratorProtocol {
        private let store: ObjectStore
        private let batchSize: Int
        private var place: StreamPlace
        private var batch: [Object] = []
        private var position = 0

        init(store: ObjectStore, place: StreamPlace, batchSize: Int) {
            self.store = store
            self.place = place
            self.batchSize = batchSize
        }

        public mutating func next() async throws -> Object? {
            while position == batch.count {
                if place.isAtEnd { return nil }
                let (start, size) = (place, batchSize)
                (batch, place) = try await store.read { try $0.batch(of: Object.self, after: start, size: size) }
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
