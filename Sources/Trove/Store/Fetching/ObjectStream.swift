/// The objects of a type as an asynchronous sequence, ascending by id; ended early, it reads no further.
///
/// Objects are read ahead in batches, each batch in a snapshot of its own, so that a slow consumer neither holds a
/// thread nor keeps the engine from reusing space. An object that is saved or deleted while the stream runs is seen
/// or not as its batch finds it. For one consistent view use ``Fetch/forEach(_:)-swift.method`` in ``ObjectStore/read(_:)-swift.method``.
public struct ObjectStream<Object: Model>: AsyncSequence, Sendable {
    public typealias Element = Object
    public typealias Failure = any Error

    let store: ObjectStore
    let batchSize: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(store: store, batchSize: batchSize)
    }

    /// Reads batch after batch.
    public struct Iterator: AsyncIteratorProtocol {
        let store: ObjectStore
        let batchSize: Int
        private var batch: [Object] = []
        private var position = 0
        private var last: [UInt8]?
        private var isAtEnd = false

        init(store: ObjectStore, batchSize: Int) {
            self.store = store
            self.batchSize = batchSize
        }

        public mutating func next() async throws -> Object? {
            if position == batch.count {
                if isAtEnd { return nil }
                let (start, size) = (last, batchSize)
                (batch, last, isAtEnd) = try await store.read { try $0.batch(after: start, size: size) }
                position = 0
                if batch.isEmpty { return nil }
            }
            defer { position += 1 }
            return batch[position]
        }
    }
}

extension ReadTransaction {
    /// Up to `size` objects above `start`, the engine's key of the last, and whether there are no more.
    fileprivate func batch<Object: Model>(after start: [UInt8]?, size: Int) throws -> ([Object], [UInt8]?, Bool) {
        var objects: [Object] = []
        var last = start
        objects.reserveCapacity(min(size, 1_024))
        let model = try open(Object.self)
        try forEachRecordBytes(of: model, after: start) { key, record in
            try withDecoder(record, key: key, model) { objects.append(try object(&$0)) }
            guard objects.count == size else { return .next }
            last = [UInt8](copying: key)
            return .stop
        }
        return (objects, last, objects.count < size)
    }
}
