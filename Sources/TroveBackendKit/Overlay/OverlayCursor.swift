import TroveStorage

/// A cursor over a store and the changes to it. It remembers its key, and walks on from there as long as it keeps its direction.
final class OverlayCursor: StorageCursor {
    private enum Place {
        case beforeFirst, atKey, afterLast
    }

    private let overlay: WriteOverlay
    private let keyspace: Keyspace
    private let number: Int
    private var place = Place.beforeFirst
    private var key: [UInt8] = []
    /// The walk that came to the key.
    private var walk: OverlayWalk?

    init(_ overlay: WriteOverlay, _ keyspace: Keyspace) {
        self.overlay = overlay
        self.keyspace = keyspace
        number = overlay.registerCursor()
    }

    func seek(to key: RawSpan) throws -> Bool {
        try check()
        return try go(.ascending, KeyRange(from: [UInt8](copying: key)))
    }

    func seekToLast() throws -> Bool {
        try check()
        return try go(.descending, .all)
    }

    func next() throws -> Bool {
        try check()
        return switch place {
        case .afterLast: false
        case .beforeFirst: try go(.ascending, .all)
        case .atKey: try go(.ascending, KeyRange(from: key), isAfter: true)
        }
    }

    func previous() throws -> Bool {
        try check()
        return switch place {
        case .beforeFirst: false
        case .afterLast: try go(.descending, .all)
        case .atKey: try go(.descending, KeyRange(upTo: key))
        }
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        try check()
        guard place == .atKey, let walk else { return false }
        let key = key
        if walk.isOfBase, overlay.changes[keyspace]?[key] == nil {
            let value = walk.value
            try body(key.span.bytes, value.span.bytes)
            return true
        }
        return try overlay.get(key.span.bytes, in: keyspace) { try body(key.span.bytes, $0) }
    }

    private func check() throws {
        try overlay.check(keyspace)
        if overlay.isUndone(number) { throw overlay.goneKeyspace() }
    }

    /// Walks on where the walk is behind the key already, otherwise over `range`.
    private func go(_ order: ScanOrder, _ range: KeyRange, isAfter: Bool = false) throws -> Bool {
        let isGoingOn = place == .atKey && walk?.order == order && (isAfter || range.lower.isEmpty && range.upper == key)
        let walk = isGoingOn ? walk ?? newWalk(order, range, isAfter) : newWalk(order, range, isAfter)
        self.walk = walk
        guard try walk.next() else {
            place = order == .ascending ? .afterLast : .beforeFirst
            return false
        }
        place = .atKey
        key = walk.key
        return true
    }

    private func newWalk(_ order: ScanOrder, _ range: KeyRange, _ isAfter: Bool) -> OverlayWalk {
        OverlayWalk(overlay, range, isAfter: isAfter, in: keyspace, order: order)
    }
}
