import CSQLite
import TroveStorage

/// Takes the rows of a long scan inside SQLite's own loop: a condition of the statement calls it for each row, and is true where the scan is over.
///
/// A step for each row leaves the loop and enters it again; this way a scan of many rows takes a sixth to a quarter less time
/// ([decision 26](../../docs/decisions/0026-sqlite-calls-back-for-each-row.md)).
struct RowVisitor {
    /// The name of the condition. SQL of an application cannot call it, having no visitor to give.
    static let function = "trove_is_over"

    private let reader: SQLiteReader
    /// The range, with the prefix of its keyspace.
    private let lower: UnsafeRawBufferPointer
    private let upper: UnsafeRawBufferPointer
    private let prefixSize: Int
    private let order: ScanOrder
    private let visit: (_ key: UnsafeRawBufferPointer, _ value: OpaquePointer?) throws -> ScanStep
    /// What ended the scan, where that was an error.
    private(set) var error: (any Error)?

    init(
        _ reader: SQLiteReader, from lower: UnsafeRawBufferPointer, upTo upper: UnsafeRawBufferPointer, prefixSize: Int, _ order: ScanOrder,
        _ visit: @escaping (_ key: UnsafeRawBufferPointer, _ value: OpaquePointer?) throws -> ScanStep
    ) {
        (self.reader, self.lower, self.upper, self.prefixSize, self.order, self.visit) = (reader, lower, upper, prefixSize, order, visit)
    }

    /// Makes the condition known to a connection. It is not called deterministic, so that SQLite calls it for each row.
    static func register(on handle: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            handle, function, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
            { context, count, values in
                guard count > 1, let values, let visitor = csqlite_visitor(values[0]) else {
                    return sqlite3_result_error(context, "\(RowVisitor.function) is a part of Trove's scans", -1)
                }
                // The scan keeps the visitor where it is until the statement has ended.
                let goesOn = visitor.assumingMemoryBound(to: RowVisitor.self).pointee.take(values[1], count > 2 ? values[2] : nil)
                sqlite3_result_int(context, goesOn ? 0 : 1)
            }, nil, nil, nil)
    }

    /// Takes a row; false when the scan is over.
    @inline(__always)
    private mutating func take(_ key: OpaquePointer?, _ value: OpaquePointer?) -> Bool {
        do {
            let bytes = try reader.storedKey(sqlite3_value_blob(key), Int(sqlite3_value_bytes(key)))
            let isInside = order == .ascending ? SQLiteReader.isBelow(bytes, upper) : !SQLiteReader.isBelow(bytes, lower)
            guard isInside, try visit(reader.withoutPrefix(bytes, prefixSize), value) == .next else { return false }
            // The body may have poisoned the transaction and caught the error.
            try reader.check()
            return true
        } catch {
            self.error = error
            return false
        }
    }
}
