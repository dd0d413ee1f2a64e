import TroveStorage

extension SealedReader {
    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try walk(range, in: keyspace, order: order) { page, position in
            try withKey(page, position) { key in try withValue(page, position) { try body(key, $0) } }
        }
    }

    /// Large values stay sealed.
    func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        try walk(range, in: keyspace, order: order) { page, position in try withKey(page, position, body) }
    }

    /// Calls `body` with the place of each entry of a range, leaf by leaf.
    private func walk(_ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (Page, Int) throws -> ScanStep) throws {
        var range = range
        var tree = try tree(of: keyspace)
        while !range.isEmpty {
            let before = changes
            var changedAt: [UInt8]?
            var spot = try engineCall {
                order == .ascending ? try tree.seek(range.lower, in: source) : try tree.seek(below: range.upper, in: source)
            }
            leaves: while let found = spot {
                let page = found.page
                let positions = Self.positions(from: found.position, of: page.entries, in: range, order)
                for step in 0..<positions.count {
                    let position = order == .ascending ? positions.lowerBound + step : positions.upperBound - 1 - step
                    if try body(page, position) == .stop { return }
                    // The body has changed the store: go on from this key in the tree as it is now.
                    if changes != before {
                        changedAt = page.entries.key(position)
                        break leaves
                    }
                }
                if order == .ascending {
                    if positions.upperBound < page.entries.count { return }
                    spot = try engineCall { try found.high.flatMap { try tree.seek(from: $0, in: source) } }
                } else {
                    if positions.lowerBound > 0 { return }
                    spot = try engineCall { try found.low.flatMap { try tree.seek(below: $0, in: source) } }
                }
            }
            guard let changedAt else { return }
            range = order == .ascending
                ? KeyRange(from: changedAt + [0], upTo: range.upper) : KeyRange(from: range.lower, upTo: changedAt)
            tree = try self.tree(of: keyspace)
        }
    }

    /// The positions of a leaf that are in the range, from a position on in the given order.
    private static func positions(from position: Int, of entries: EntryList, in range: KeyRange, _ order: ScanOrder) -> Range<Int> {
        if order == .ascending {
            guard let upper = range.upper else { return position..<entries.count }
            return upper.withUnsafeBytes { upper in
                // Most leaves are inside as a whole.
                if entries.compareKey(entries.count - 1, to: upper) < 0 { return position..<entries.count }
                return position..<max(position, entries.lowerBound(of: upper, from: position).position)
            }
        }
        return range.lower.withUnsafeBytes { lower in
            if entries.compareKey(0, to: lower) >= 0 { return 0..<position + 1 }
            return min(position + 1, entries.lowerBound(of: lower).position)..<position + 1
        }
    }
}
