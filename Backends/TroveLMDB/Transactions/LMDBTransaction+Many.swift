import CLMDB
import TroveStorage

extension LMDBTransaction {
    /// The binary logarithm of the bytes in which two values are near each other: the smallest page of the systems that LMDB runs on.
    private static let nearBits: UInt = 12

    /// Looks up each key, through one cursor while they follow each other in the same page: LMDB looks there first.
    ///
    /// Where they are far apart that would cost two comparisons in a page that nothing else is looked for in, so each begins at the root of the tree.
    final func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        var cursor: CursorHandle?
        defer { if let cursor { closeCursor(cursor) } }
        var (position, place, isNear) = (0, 0 as UInt, false)
        try keys.forEach { key in
            if isNear, cursor == nil { cursor = try openCursor(on: dbi(of: keyspace)) }
            var step = ScanStep.next
            let isFound = try get(key, in: keyspace, through: isNear ? cursor?.pointer : nil) { value in
                let last = place
                place = value.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) >> Self.nearBits }
                isNear = place == last
                step = try body(position, value)
            }
            if !isFound { step = try body(position, nil) }
            position += 1
            return step
        }
    }
}
