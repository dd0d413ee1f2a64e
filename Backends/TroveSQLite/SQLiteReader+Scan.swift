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
    /// One running statement from end to end. It goes on rightly when its connection changes the table meanwhile: SQLite
    /// then remembers the key it is at and finds its neighbour again.
    final func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try check(keyspace)
        if range.isEmpty { return }
        let number = keyspace.number
        let lower = KeyPrefix.bytes(number, range.lower)
        let upper = range.upper.map { KeyPrefix.bytes(number, $0) } ?? KeyPrefix.bytes(number + 1)
        let prefixSize = lower.count - range.lower.count
        let kind = order == .ascending ? StatementKind.scanAscending : .scanDescending
        let statement = try take(kind)
        defer { connection.give(statement, kind) }
        try lower.withUnsafeBytes { lower in
            try upper.withUnsafeBytes { upper in
                connection.bind(statement, 1, order == .ascending ? lower : upper)
                while true {
                    let code = sqlite3_step(statement)
                    guard code == SQLITE_ROW else {
                        if code == SQLITE_DONE { return }
                        throw failed(code)
                    }
                    guard let start = sqlite3_column_blob(statement, 0) else { throw failed(SQLITE_NOMEM) }
                    let key = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, 0)))
                    let isInside = order == .ascending ? Self.isBelow(key, upper) : !Self.isBelow(key, lower)
                    guard isInside else { return }
                    let step = try withValue(statement, 1) { value in
                        try body(UnsafeRawBufferPointer(rebasing: key[prefixSize...]).bytes, value)
                    }
                    guard step == .next else { return }
                    // The body may have poisoned the transaction and caught the error.
                    try state.check()
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
