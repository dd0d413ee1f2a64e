import TroveStorage

/// A cursor: it remembers a key, not a position, and so needs not be told of changes.
final class SortedArrayCursor: StorageCursor {
    private enum Place {
        case beforeFirst
        case at([UInt8])
        case afterLast
    }

    private let reader: SortedArrayReader
    private let keyspace: Keyspace
    private let number: Int
    private var place = Place.beforeFirst

    init(over keyspace: Keyspace, in reader: SortedArrayReader) {
        self.keyspace = keyspace
        self.reader = reader
        number = reader.registerCursor()
    }

    func seek(to key: RawSpan) throws -> Bool {
        let entries = try entries()
        return go(to: entries.position(of: key), in: entries)
    }

    func seekToLast() throws -> Bool {
        let entries = try entries()
        return go(to: entries.count - 1, in: entries)
    }

    func next() throws -> Bool {
        let entries = try entries()
        switch place {
        case .beforeFirst: return go(to: 0, in: entries)
        case .at(let key):
            // The least key above this one.
            let above = key + [0]
            return go(to: entries.position(of: above.span.bytes), in: entries)
        case .afterLast: return false
        }
    }

    func previous() throws -> Bool {
        let entries = try entries()
        switch place {
        case .beforeFirst: return false
        case .at(let key): return go(to: entries.position(of: key.span.bytes) - 1, in: entries)
        case .afterLast: return go(to: entries.count - 1, in: entries)
        }
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        let entries = try entries()
        guard case .at(let key) = place, let position = entries.place(of: key.span.bytes) else { return false }
        let value = entries.values[position]
        try body(key.span.bytes, value.span.bytes)
        return true
    }

    /// The entries as they are now, after checks of the transaction, the keyspace and the cursor itself.
    private func entries() throws -> SortedArray {
        let entries = try reader.entries(of: keyspace)
        try reader.checkCursor(number)
        return entries
    }

    private func go(to position: Int, in entries: SortedArray) -> Bool {
        if position < 0 {
            place = .beforeFirst
        } else if position < entries.count {
            place = .at(entries.keys[position])
            return true
        } else {
            place = .afterLast
        }
        return false
    }
}
