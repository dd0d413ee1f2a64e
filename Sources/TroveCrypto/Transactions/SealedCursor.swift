import TroveStorage

/// A cursor of a sealed store. It holds its leaf while nothing changes, and finds its place again by its key after a change.
final class SealedCursor: StorageCursor {
    private enum Place {
        case beforeFirst
        /// At an entry of the leaf, or where it was.
        case at(SealedTree.Spot)
        case afterLast
    }

    private let reader: SealedReader
    private let keyspace: Keyspace
    private let number: Int
    private var place = Place.beforeFirst
    /// The leaf is right while the transaction's number of changes is this one.
    private var changes: Int

    init(over keyspace: Keyspace, in reader: SealedReader) {
        self.reader = reader
        self.keyspace = keyspace
        number = reader.registerCursor()
        changes = reader.changes
    }

    func seek(to key: RawSpan) throws -> Bool {
        let tree = try tree()
        return try arrive(orAt: .afterLast) { try key.withUnsafeBytes { try tree.seek($0, in: reader.source) } }
    }

    func seekToLast() throws -> Bool {
        let tree = try tree()
        return try arrive(orAt: .beforeFirst) { try tree.seek(below: nil, in: reader.source) }
    }

    func next() throws -> Bool {
        let tree = try tree()
        switch place {
        case .afterLast: return false
        case .beforeFirst: return try arrive(orAt: .afterLast) { try tree.seek([], in: reader.source) }
        case .at(var spot):
            guard reader.changes == changes else {
                let key = spot.page.entries.key(spot.position)
                return try arrive(orAt: .afterLast) { try tree.seek(key + [0], in: reader.source) }
            }
            if spot.position + 1 < spot.page.entries.count {
                spot.position += 1
                place = .at(spot)
                return true
            }
            return try arrive(orAt: .afterLast) { try spot.high.flatMap { try tree.seek(from: $0, in: reader.source) } }
        }
    }

    func previous() throws -> Bool {
        let tree = try tree()
        switch place {
        case .beforeFirst: return false
        case .afterLast: return try arrive(orAt: .beforeFirst) { try tree.seek(below: nil, in: reader.source) }
        case .at(var spot):
            guard reader.changes == changes else {
                let key = spot.page.entries.key(spot.position)
                return try arrive(orAt: .beforeFirst) { try tree.seek(below: key, in: reader.source) }
            }
            if spot.position > 0 {
                spot.position -= 1
                place = .at(spot)
                return true
            }
            return try arrive(orAt: .beforeFirst) { try spot.low.flatMap { try tree.seek(below: $0, in: reader.source) } }
        }
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        let tree = try tree()
        guard case .at(let spot) = place else { return false }
        if reader.changes == changes {
            try reader.withKey(spot.page, spot.position) { key in try reader.withValue(spot.page, spot.position) { try body(key, $0) } }
            return true
        }
        let key = spot.page.entries.key(spot.position)
        guard let (page, position) = try reader.engineCall({ try key.withUnsafeBytes { try tree.find($0, in: reader.source) } }) else { return false }
        try reader.withValue(page, position) { try body(key.span.bytes, $0) }
        return true
    }

    /// The tree as it is now, after checks of the transaction, the keyspace and the cursor itself.
    private func tree() throws -> SealedTree {
        let tree = try reader.tree(of: keyspace)
        try reader.checkCursor(number)
        return tree
    }

    private func arrive(orAt end: Place, _ seek: () throws -> SealedTree.Spot?) throws -> Bool {
        let spot = try reader.engineCall(seek)
        changes = reader.changes
        place = spot.map(Place.at) ?? end
        return spot != nil
    }
}
