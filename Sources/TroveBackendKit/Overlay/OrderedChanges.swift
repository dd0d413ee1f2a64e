import TroveStorage

/// The changes of one keyspace in key order. A copy shares its storage until one of the two changes, so a savepoint is a copy.
struct OrderedChanges {
    /// Whether the store has an entry with the key, apart from the change.
    enum Presence {
        case unknown, absent, present
    }

    struct Change {
        let key: [UInt8]
        /// nil when the entry is removed.
        var value: [UInt8]?
        var inBase: Presence

        var size: Int { key.count + (value?.count ?? 0) }
    }

    /// A chunk of more is cut in two, so that an insertion moves few entries.
    private static let maxChunk = 512

    /// None is empty.
    private var chunks: [[Change]] = []
    private(set) var count = 0
    /// The bytes of all keys and values.
    private(set) var size = 0

    var isEmpty: Bool { chunks.isEmpty }

    subscript(key: [UInt8]) -> Change? {
        let (chunk, index) = place(of: key, after: false)
        guard chunk < chunks.count else { return nil }
        let change = chunks[chunk][index]
        return change.key == key ? change : nil
    }

    /// The first change at `bound`, or above it; with a nil bound the first of all.
    func first(from bound: [UInt8]?, after: Bool) -> Change? {
        guard let bound else { return chunks.first?.first }
        let (chunk, index) = place(of: bound, after: after)
        return chunk < chunks.count ? chunks[chunk][index] : nil
    }

    /// The last change below `bound`; with a nil bound the last of all.
    func last(below bound: [UInt8]?) -> Change? {
        guard let bound else { return chunks.last?.last }
        let (chunk, index) = place(of: bound, after: false)
        if chunk < chunks.count, index > 0 { return chunks[chunk][index - 1] }
        return chunk > 0 ? chunks[chunk - 1].last : nil
    }

    /// Adds a change, or replaces the one of the same key.
    mutating func set(_ change: Change) {
        count += 1
        size += change.size
        if chunks.isEmpty {
            chunks = [[change]]
            return
        }
        var (chunk, index) = place(of: change.key, after: false)
        if chunk == chunks.count {
            chunk -= 1
            index = chunks[chunk].count
        } else if chunks[chunk][index].key == change.key {
            count -= 1
            size -= chunks[chunk][index].size
            chunks[chunk][index] = change
            return
        }
        chunks[chunk].insert(change, at: index)
        if chunks[chunk].count > Self.maxChunk {
            // A chunk that grew at its end is left full, as keys often come in order.
            let cut = index == chunks[chunk].count - 1 ? index : chunks[chunk].count / 2
            chunks.insert(Array(chunks[chunk][cut...]), at: chunk + 1)
            chunks[chunk].removeSubrange(cut...)
        }
    }

    mutating func remove(_ key: [UInt8]) {
        let (chunk, index) = place(of: key, after: false)
        guard chunk < chunks.count, chunks[chunk][index].key == key else { return }
        count -= 1
        size -= chunks[chunk][index].size
        chunks[chunk].remove(at: index)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }

    /// Calls `body` with the changes of a range, in order.
    func forEach(in range: KeyRange = .all, _ body: (Change) throws -> Void) rethrows {
        if range.isEmpty { return }
        let start = place(of: range.lower, after: false)
        for chunk in start.chunk..<max(chunks.count, start.chunk) {
            for change in chunks[chunk][(chunk == start.chunk ? start.index : 0)...] {
                if let upper = range.upper, !change.key.precedes(upper) { return }
                try body(change)
            }
        }
    }

    /// The place of the first change at `key`, or above it; behind the last chunk when there is none.
    private func place(of key: [UInt8], after: Bool) -> (chunk: Int, index: Int) {
        let chunk = partition(chunks.count) { isBelow(chunks[$0][chunks[$0].count - 1].key, key, orEqual: after) }
        guard chunk < chunks.count else { return (chunk, 0) }
        return (chunk, partition(chunks[chunk].count) { isBelow(chunks[chunk][$0].key, key, orEqual: after) })
    }

    /// How many of the first places `isBelow` holds for.
    private func partition(_ count: Int, _ isBelow: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBelow(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func isBelow(_ left: [UInt8], _ right: [UInt8], orEqual: Bool) -> Bool {
        let order = left.compare(to: right)
        return orEqual ? order <= 0 : order < 0
    }
}
