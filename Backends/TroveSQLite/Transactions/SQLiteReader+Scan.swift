import CSQLite
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SQLiteReader {
    /// How many rows of a scan come one by one before the rest is visited: most scans are short, and a visit has a beginning of its own.
    private static let rowsBeforeVisit = 32

    /// One running statement from end to end, begun again above (or below) the current key when the body has changed
    /// something; the rest of a long scan is visited.
    ///
    /// Left to itself the statement goes on rightly after insertions and deletions, but may come to the current
    /// entry again when its value was replaced: SQLite finds its place by the whole record, not by the key.
    final func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try walk(
            range, in: keyspace, order, order == .ascending ? (.scanAscending, .visitAscending) : (.scanDescending, .visitDescending),
            step: { statement, key in try withValue(statement, 1) { value in try body(key.bytes, value) } },
            visit: { key, value in try withValue(value) { value in try body(key.bytes, value) } })
    }

    /// As a scan, with statements that do not fetch the value: one on pages of its own is left there.
    final func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        try walk(
            range, in: keyspace, order, order == .ascending ? (.scanKeysAscending, .visitKeysAscending) : (.scanKeysDescending, .visitKeysDescending),
            step: { _, key in try body(key.bytes) }, visit: { key, _ in try body(key.bytes) })
    }

    /// Calls `step` with a running statement and the key of each of its rows, and `visit` with the key and value of those after the first ones.
    @inline(__always)
    private final func walk(
        _ range: KeyRange, in keyspace: Keyspace, _ order: ScanOrder, _ kinds: (scan: StatementKind, visit: StatementKind),
        step: (_ statement: OpaquePointer, _ key: UnsafeRawBufferPointer) throws -> ScanStep,
        visit: (_ key: UnsafeRawBufferPointer, _ value: OpaquePointer?) throws -> ScanStep
    ) throws {
        try check(keyspace)
        if range.isEmpty { return }
        let number = keyspace.number
        let lower = KeyPrefix.bytes(number, range.lower)
        let upper = range.upper.map { KeyPrefix.bytes(number, $0) } ?? KeyPrefix.bytes(number + 1)
        let prefixSize = lower.count - range.lower.count
        let statement = try take(kinds.scan)
        defer { connection.give(statement, kinds.scan) }
        try lower.withUnsafeBytes { lower in
            try upper.withUnsafeBytes { upper in
                connection.bind(statement, 1, order == .ascending ? lower : upper)
                let isWriter = self is SQLiteWriter
                var place = ScanPlace(isNeeded: isWriter)
                defer { place.deallocate() }
                // What the body of a writer's scan changes may bring a row back, so that it has to look after each.
                var rowsLeft = isWriter ? Int.max : Self.rowsBeforeVisit
                while true {
                    let code = sqlite3_step(statement)
                    guard code == SQLITE_ROW else {
                        if code == SQLITE_DONE { return }
                        throw failed(code)
                    }
                    let key = try storedKey(sqlite3_column_blob(statement, 0), Int(sqlite3_column_bytes(statement, 0)))
                    let isInside = order == .ascending ? Self.isBelow(key, upper) : !Self.isBelow(key, lower)
                    guard isInside else { return }
                    if rowsLeft == 0 {
                        let start = order == .ascending ? Array(key) : Array(key) + [0]
                        sqlite3_reset(statement)
                        return try withoutActuallyEscaping(visit) { visit in
                            var visitor = RowVisitor(self, from: lower, upTo: upper, prefixSize: prefixSize, order, visit)
                            try self.visit(kinds.visit, start, &visitor)
                        }
                    }
                    rowsLeft -= 1
                    place.remember(key, changeCount)
                    guard try step(statement, withoutPrefix(key, prefixSize)) == .next else { return }
                    // The body may have poisoned the transaction and caught the error.
                    try check()
                    if place.isOld(changeCount) {
                        // It may have dropped the keyspace, too.
                        try check(keyspace)
                        sqlite3_reset(statement)
                        connection.bind(statement, 1, place.bound(order))
                    }
                }
            }
        }
    }

    /// Lets the visitor take the rows from a key on; its own is among them.
    private func visit(_ kind: StatementKind, _ start: [UInt8], _ visitor: inout RowVisitor) throws {
        let statement = try take(kind)
        defer {
            sqlite3_reset(statement)
            sqlite3_bind_null(statement, 2)
            connection.give(statement, kind)
        }
        try start.withUnsafeBytes { start in
            connection.bind(statement, 1, start)
            let code = withUnsafeMutablePointer(to: &visitor) { visitor in
                let code = csqlite_bind_visitor(statement, 2, visitor)
                return code == SQLITE_OK ? sqlite3_step(statement) : code
            }
            if let error = visitor.error { throw error }
            // A row where the visitor has had enough.
            guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failed(code) }
        }
    }

    /// The bytes of a key, prefix and all. A row beside the range may be one of a keyspace with a shorter prefix.
    @inline(__always)
    final func storedKey(_ start: UnsafeRawPointer?, _ count: Int) throws -> UnsafeRawBufferPointer {
        guard let start else { throw failed(count == 0 ? SQLITE_CORRUPT : SQLITE_NOMEM) }
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// The part of a key in the range that follows the prefix.
    ///
    /// - Throws: where the key is shorter than what every one of the keyspace begins with, which is damage that SQLite cannot see.
    @inline(__always)
    final func withoutPrefix(_ key: UnsafeRawBufferPointer, _ prefixSize: Int) throws -> UnsafeRawBufferPointer {
        guard key.count >= prefixSize else { throw failed(SQLITE_CORRUPT) }
        return UnsafeRawBufferPointer(rebasing: key[prefixSize...])
    }

    /// Whether `key` comes before `bound`, which is not empty.
    @inline(__always)
    static func isBelow(_ key: UnsafeRawBufferPointer, _ bound: UnsafeRawBufferPointer) -> Bool {
        let order = memcmp(key.baseAddress!, bound.baseAddress!, min(key.count, bound.count))
        return order < 0 || (order == 0 && key.count < bound.count)
    }
}
