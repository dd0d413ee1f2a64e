import TroveStorage

/// A cursor of the memory engine.
///
/// It holds the path to its entry while nothing changes. In a write transaction it remembers its key too,
/// and finds its place again after a change.
final class MemoryCursor: StorageCursor {
    private enum Place {
        case beforeFirst
        /// At the entry that `path` leads to, or where the entry with `key` was.
        case atKey
        case afterLast
    }

    private let reader: MemoryReader
    private let keyspace: Keyspace
    private let number: Int
    private let remembersKey: Bool
    private var place = Place.beforeFirst
    private var key: [UInt8] = []
    /// Right while the transaction's number of changes is `pathChanges`: until then it keeps the nodes alive.
    private var path = TreePath()
    private var pathChanges: Int

    init(over keyspace: Keyspace, in reader: MemoryReader) {
        self.reader = reader
        self.keyspace = keyspace
        number = reader.registerCursor()
        remembersKey = reader.isWriter
        pathChanges = reader.changes
    }

    func seek(to key: RawSpan) throws -> Bool {
        let tree = try currentTree()
        key.withUnsafeBytes { path.seek($0, in: tree) }
        return arrive(orAt: .afterLast)
    }

    func seekToLast() throws -> Bool {
        let tree = try currentTree()
        path.seekToLast(in: tree)
        return arrive(orAt: .beforeFirst)
    }

    func next() throws -> Bool {
        switch place {
        case .afterLast:
            _ = try currentTree()
            return false
        case .beforeFirst:
            let tree = try currentTree()
            path.seek(UnsafeRawBufferPointer(start: nil, count: 0), in: tree)
        case .atKey:
            if try isPathRight() {
                path.stepUp()
            } else {
                let tree = try currentTree()
                (key + [0]).withUnsafeBytes { path.seek($0, in: tree) }
            }
        }
        return arrive(orAt: .afterLast)
    }

    func previous() throws -> Bool {
        switch place {
        case .beforeFirst:
            _ = try currentTree()
            return false
        case .afterLast:
            let tree = try currentTree()
            path.seekToLast(in: tree)
        case .atKey:
            if try isPathRight() {
                path.stepDown()
            } else {
                let tree = try currentTree()
                key.withUnsafeBytes { path.seekBelow($0, in: tree) }
            }
        }
        return arrive(orAt: .beforeFirst)
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        guard case .atKey = place else {
            _ = try currentTree()
            return false
        }
        // Held while the body runs, so that a change by the body copies nodes and leaves these bytes alone.
        if try isPathRight() {
            return try withExtendedLifetime(reader.tree(of: keyspace)) {
                try path.withEntry { leaf, position in
                    try leaf.withValue(position) { try body(leaf.key(position).bytes, $0) }
                }
            }
        }
        let tree = try currentTree()
        let sought = key
        return try tree.get(sought.span.bytes) { try body(sought.span.bytes, $0) }
    }

    /// Whether nothing has changed since the path was made.
    private func isPathRight() throws -> Bool {
        try reader.transaction.check(keyspace)
        return reader.changes == pathChanges
    }

    /// The tree as it is now, after checks of the transaction, the keyspace and the cursor itself.
    private func currentTree() throws -> Tree {
        let tree = try reader.tree(of: keyspace)
        try reader.checkCursor(number)
        return tree
    }

    /// Takes note of where the path leads.
    private func arrive(orAt end: Place) -> Bool {
        pathChanges = reader.changes
        let isAtEntry = path.withEntry { leaf, position in
            if remembersKey {
                key.removeAll(keepingCapacity: true)
                key.append(contentsOf: leaf.key(position))
            }
        }
        place = isAtEntry ? .atKey : end
        return isAtEntry
    }
}
