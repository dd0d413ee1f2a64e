import TroveStorage

extension SQLiteReader {
    /// Counts a keyspace.
    ///
    /// SQLite counts a whole table page by page, and a part of it entry by entry, which takes more than twice as long.
    /// So of a keyspace that is nearly all of the table the rest is counted, and taken from the whole.
    final func count(in keyspace: Keyspace) throws -> Int {
        try check(keyspace)
        let (lower, upper) = (KeyPrefix.bytes(keyspace.number), KeyPrefix.bytes(keyspace.number + 1))
        return try poisoning {
            let few = try count(.countFew, lower, upper)
            if few < StatementKind.few { return few }
            // The other entries, also those of no keyspace in a file that somebody else wrote to.
            let below = try count(.countFewBelow, lower)
            let above = below < StatementKind.few ? try count(.countFewFrom, upper) : StatementKind.few
            if above < StatementKind.few {
                let count = try (connection.integer(.countAll) ?? 0) - below - above
                // Keys out of order, which is damage that SQLite does not see, are counted twice.
                if count >= few { return count }
            }
            return try count(.count, lower, upper)
        }
    }

    final func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int {
        if range == .all { return try count(in: keyspace) }
        try check(keyspace)
        if range.isEmpty { return 0 }
        let lower = KeyPrefix.bytes(keyspace.number, range.lower)
        let upper = range.upper.map { KeyPrefix.bytes(keyspace.number, $0) } ?? KeyPrefix.bytes(keyspace.number + 1)
        return try poisoning { try count(.count, lower, upper) }
    }

    /// Counts between whole keys, prefix and all; with one of them from it on, or below it.
    private func count(_ kind: StatementKind, _ bound: [UInt8], _ upper: [UInt8]? = nil) throws -> Int {
        try bound.withUnsafeBytes { bound in
            try (upper ?? []).withUnsafeBytes { bytes in
                try connection.integer(kind) {
                    connection.bind($0, 1, bound)
                    if upper != nil { connection.bind($0, 2, bytes) }
                } ?? 0
            }
        }
    }
}
