/// The objects of a context's fetch as an asynchronous sequence, in the query's order; ended early, it reads no further.
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
