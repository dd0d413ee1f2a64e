import Synchronization

/// How often queries have read one index since the store was opened.
final class IndexUseCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    /// Counts one more; without a lock, since it is on the way of every query.
    func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

/// The counts of all indexes of an open store, by their numbers: they outlive what is known of an index in a snapshot.
final class IndexUses: Sendable {
    private let counts = Mutex<[Int: IndexUseCount]>([:])

    /// The count of the index with this number; the first call makes it.
    func count(of number: Int) -> IndexUseCount {
        counts.withLock { counts in
            if let count = counts[number] { return count }
            let count = IndexUseCount()
            counts[number] = count
            return count
        }
    }
}
