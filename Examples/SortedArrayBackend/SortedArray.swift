import TroveStorage

/// The entries of one keyspace: keys in order, and a value for each.
///
/// A copy shares its storage until one of the two changes, so taking a snapshot costs nothing.
struct SortedArray: Sendable {
    private(set) var keys: [[UInt8]] = []
    private(set) var values: [[UInt8]] = []

    var count: Int { keys.count }

    /// The position of the first key that is `key` or above.
    func position(of key: RawSpan) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, to: key) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The position of the key itself; nil when it is not there.
    func place(of key: RawSpan) -> Int? {
        let position = position(of: key)
        return position < keys.count && compare(position, to: key) == 0 ? position : nil
    }

    /// The positions of the keys of a range.
    func positions(in range: KeyRange) -> Range<Int> {
        if range.isEmpty { return 0..<0 }
        let upper = range.upper.map { position(of: $0.span.bytes) } ?? keys.count
        return position(of: range.lower.span.bytes)..<upper
    }

    /// How the key at a position compares to another: negative, zero or positive.
    private func compare(_ position: Int, to key: RawSpan) -> Int {
        let own = keys[position]
        return own.span.bytes.compare(to: key)
    }

    mutating func put(_ key: RawSpan, _ value: RawSpan) {
        let position = position(of: key)
        if position < keys.count, compare(position, to: key) == 0 {
            values[position] = [UInt8](copying: value)
        } else {
            keys.insert([UInt8](copying: key), at: position)
            values.insert([UInt8](copying: value), at: position)
        }
    }

    mutating func remove(_ positions: Range<Int>) {
        keys.removeSubrange(positions)
        values.removeSubrange(positions)
    }

    /// Adds an entry that was read from a file; false when its key is not above the last one.
    mutating func append(_ key: [UInt8], _ value: [UInt8]) -> Bool {
        if let last = keys.last, !last.span.bytes.precedes(key.span.bytes) { return false }
        keys.append(key)
        values.append(value)
        return true
    }
}
