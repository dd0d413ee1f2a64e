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
    /// One running statement from end to end, begun again above (or below) the current key when the body has changed something.
    ///
    /// Left to itself the statement goes on rightly after insertions and deletions, but may come to the current
    /// entry again when its value was replaced: SQLite finds its place by the whole record, not by the key.
    final func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try walk(range, in: keyspace, order, order == .ascending ? .scanAscending : .scanDescending) { statement, key in
            try withValue(statement, 1) { value in try body(key.bytes, value) }
        }
    }

    /// As a scan, with statements that do not fetch the value: one on pages of its own is left there.
    final func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        try walk(range, in: keyspace, order, order == .ascending ? .scanKeysAscending : .scanKeysDescending) { _, key in
            try body(key.bytes)
        }
    }

    /// Calls `visit` with a running statement and the key of each of its rows.
    @inline(__always)
    private final func walk(
        _ range: KeyRange, in keyspace: Keyspace, _ order: ScanOrder, _ kind: StatementKind,
        _ visit: (_ statement: OpaquePointer, _ key: UnsafeRawBufferPointer) throws -> ScanStep
    ) throws {
        try check(keyspace)
        if range.isEmpty { return }
        let number = keyspace.number
        let lower = KeyPrefix.bytes(number, range.lower)
        let upper = range.upper.map { KeyPrefix.bytes(number, $0) } ?? KeyPrefix.bytes(number + 1)
        let prefixSize = lower.count - range.lower.count
        let statement = try take(kind)
        defer { connection.give(statement, kind) }
        try lower.withUnsafeBytes { lower in
            try upper.withUnsafeBytes { upper in
                connection.bind(statement, 1, order == .ascending ? lower : upper)
                var place = ScanPlace(isNeeded: self is SQLiteWriter)
                defer { place.deallocate() }
                while true {
                    let code = sqlite3_step(statement)
                    guard code == SQLITE_ROW else {
                        if code == SQLITE_DONE { return }
                        throw failed(code)
                    }
                    let start = sqlite3_column_blob(statement, 0)
                    let key = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, 0)))
                    // A key shorter than what every key begins with is damage that SQLite cannot see.
                    guard start != nil, key.count >= prefixSize else { throw failed(key.isEmpty || start != nil ? SQLITE_CORRUPT : SQLITE_NOMEM) }
                    let isInside = order == .ascending ? Self.isBelow(key, upper) : !Self.isBelow(key, lower)
                    guard isInside else { return }
                    place.remember(key, changeCount)
                    guard try visit(statement, UnsafeRawBufferPointer(rebasing: key[prefixSize...])) == .next else { return }
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

    /// Whether `key` comes before `bound`, which is not empty.
    @inline(__always)
    private static func isBelow(_ key: UnsafeRawBufferPointer, _ bound: UnsafeRawBufferPointer) -> Bool {
        let order = memcmp(key.baseAddress!, bound.baseAddress!, min(key.count, bound.count))
        return order < 0 || (order == 0 && key.count < bound.count)
    }
}
