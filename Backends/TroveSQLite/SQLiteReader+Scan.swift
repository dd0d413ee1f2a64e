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
    /// How many rows of a scan come one by one before the rest is visited: most scans are short, and a visit costs something at its end.
    private static let rowsBeforeVisit = 32

    /// One running statement from end to end, begun again above (or below) the current key when the body has changed something.
    ///
    /// Left to itself the statement goes on rightly after insertions and deletions, but may come to the current
    /// entry again when its value was replaced: SQLite finds its place by the whole record, not by the key.
    final func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        let rest = try walk(range, in: keyspace, order, order == .ascending ? .scanAscending : .scanDescending) { statement, key in
            try withValue(statement, 1) { value in try body(key.bytes, value) }
        }
        guard let rest else { return }
        try visit(rest, .visit) { key, value in try withValue(value) { try body(key.bytes, $0) } }
    }

    /// As a scan, with statements that do not fetch the value: one on pages of its own is left there.
    final func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        let rest = try walk(range, in: keyspace, order, order == .ascending ? .scanKeysAscending : .scanKeysDescending) { _, key in
            try body(key.bytes)
        }
        guard let rest else { return }
        try visit(rest, .visitKeys) { key, _ in try body(key.bytes) }
    }

    /// The rows of a scan that are left to be visited, by keys with their prefix.
    private struct Rest {
        let lower: [UInt8]
        let upper: [UInt8]
        let prefixSize: Int
    }

    /// Calls `visit` with a running statement and the key of each of its rows; returns what it leaves of many rows.
    @inline(__always)
    private final func walk(
        _ range: KeyRange, in keyspace: Keyspace, _ order: ScanOrder, _ kind: StatementKind,
        _ visit: (_ statement: OpaquePointer, _ key: UnsafeRawBufferPointer) throws -> ScanStep
    ) throws -> Rest? {
        try check(keyspace)
        if range.isEmpty { return nil }
        let number = keyspace.number
        let lower = KeyPrefix.bytes(number, range.lower)
        let upper = range.upper.map { KeyPrefix.bytes(number, $0) } ?? KeyPrefix.bytes(number + 1)
        let prefixSize = lower.count - range.lower.count
        let statement = try take(kind)
        defer { connection.give(statement, kind) }
        return try lower.withUnsafeBytes { lower in
            try upper.withUnsafeBytes { upper in
                connection.bind(statement, 1, order == .ascending ? lower : upper)
                let isWriter = self is SQLiteWriter
                var place = ScanPlace(isNeeded: isWriter)
                defer { place.deallocate() }
                // A writer's rows change under the scan, and nothing calls back in descending order.
                var rowsLeft = isWriter || order == .descending ? Int.max : Self.rowsBeforeVisit
                while true {
                    let code = sqlite3_step(statement)
                    guard code == SQLITE_ROW else {
                        if code == SQLITE_DONE { return nil }
                        throw failed(code)
                    }
                    let key = try key(sqlite3_column_blob(statement, 0), Int(sqlite3_column_bytes(statement, 0)), prefixSize)
                    let isInside = order == .ascending ? Self.isBelow(key, upper) : !Self.isBelow(key, lower)
                    guard isInside else { return nil }
                    if rowsLeft == 0 { return Rest(lower: Array(key), upper: Array(upper), prefixSize: prefixSize) }
                    rowsLeft -= 1
                    place.remember(key, changeCount)
                    guard try visit(statement, UnsafeRawBufferPointer(rebasing: key[prefixSize...])) == .next else { return nil }
                    // The body may have poisoned the transaction and caught the error.
                    try check()
                    if place.isOld(changeCount) {
                        sqlite3_reset(statement)
                        connection.bind(statement, 1, place.bound(order))
                    }
                }
            }
        }
    }

    /// Calls `body` for each row that is left, with its value.
    private func visit(_ rest: Rest, _ kind: StatementKind, _ body: (_ key: UnsafeRawBufferPointer, _ value: OpaquePointer?) throws -> ScanStep) throws {
        let statement = try take(kind)
        defer { connection.give(statement, kind) }
        try withoutActuallyEscaping(body) { body in
            try rest.lower.withUnsafeBytes { lower in
                try rest.upper.withUnsafeBytes { upper in
                    let visitor = RowVisitor(self, upTo: upper, prefixSize: rest.prefixSize, body)
                    connection.bind(statement, 1, lower)
                    csqlite_bind_visitor(statement, 2, Unmanaged.passUnretained(visitor).toOpaque())
                    let code = withExtendedLifetime(visitor) { sqlite3_step(statement) }
                    if let error = visitor.error { throw error }
                    if !visitor.isOver, code != SQLITE_ROW { throw failed(code) }
                }
            }
        }
    }

    /// The bytes of a key, prefix and all.
    ///
    /// - Throws: where it is shorter than what every key begins with, which is damage that SQLite cannot see.
    @inline(__always)
    final func key(_ start: UnsafeRawPointer?, _ count: Int, _ prefixSize: Int) throws -> UnsafeRawBufferPointer {
        guard start != nil, count >= prefixSize else { throw failed(count == 0 || start != nil ? SQLITE_CORRUPT : SQLITE_NOMEM) }
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// Whether `key` comes before `bound`, which is not empty.
    @inline(__always)
    static func isBelow(_ key: UnsafeRawBufferPointer, _ bound: UnsafeRawBufferPointer) -> Bool {
        let order = memcmp(key.baseAddress!, bound.baseAddress!, min(key.count, bound.count))
        return order < 0 || (order == 0 && key.count < bound.count)
    }
}
