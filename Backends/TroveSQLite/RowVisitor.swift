import CSQLite
import TroveStorage

/// Takes the rows of a scan inside SQLite's own loop, as an aggregate function that the statement calls for each.
///
/// A step for each row leaves the loop and enters it again; this way a scan of many rows takes three quarters of the time
/// ([decision 26](../../docs/decisions/0026-sqlite-calls-back-for-each-row.md)).
/// The function ends the statement by an error when the scan is over, which a read transaction survives: its snapshot belongs to another statement.
final class RowVisitor {
    /// The name of the function. SQL of an application cannot call it, having no visitor to give.
    static let function = "trove_visit"

    private let reader: SQLiteReader
    private let prefixSize: Int
    /// The end of the range, prefix and all.
    private let upper: UnsafeRawBufferPointer
    private let visit: (_ key: UnsafeRawBufferPointer, _ value: OpaquePointer?) throws -> ScanStep
    /// Whether the scan ended before the table did.
    private(set) var isOver = false
    /// What ended it, where that was an error.
    private(set) var error: (any Error)?

    init(
        _ reader: SQLiteReader, upTo upper: UnsafeRawBufferPointer, prefixSize: Int,
        _ visit: @escaping (_ key: UnsafeRawBufferPointer, _ value: OpaquePointer?) throws -> ScanStep
    ) {
        (self.reader, self.upper, self.prefixSize, self.visit) = (reader, upper, prefixSize, visit)
    }

    /// Makes the function known to a connection.
    static func register(on handle: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            handle, function, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil, nil,
            { context, count, values in
                guard count > 1, let values, let visitor = csqlite_visitor(values[0]) else {
                    return sqlite3_result_error(context, "\(RowVisitor.function) is a part of Trove's scans", -1)
                }
                // The scan keeps the visitor until the statement has ended.
                let isOver = Unmanaged<RowVisitor>.fromOpaque(visitor)._withUnsafeGuaranteedRef { !$0.take(values[1], count > 2 ? values[2] : nil) }
                if isOver { sqlite3_result_error_code(context, SQLITE_ABORT) }
            },
            { context in sqlite3_result_null(context) }, nil)
    }

    /// Takes a row; false when the scan is over.
    @inline(__always)
    private func take(_ key: OpaquePointer?, _ value: OpaquePointer?) -> Bool {
        do {
            if try go(on: key, value) { return true }
        } catch {
            self.error = error
        }
        isOver = true
        return false
    }

    @inline(__always)
    private func go(on key: OpaquePointer?, _ value: OpaquePointer?) throws -> Bool {
        let bytes = try reader.key(sqlite3_value_blob(key), Int(sqlite3_value_bytes(key)), prefixSize)
        guard SQLiteReader.isBelow(bytes, upper) else { return false }
        guard try visit(UnsafeRawBufferPointer(rebasing: bytes[prefixSize...]), value) == .next else { return false }
        // The body may have poisoned the transaction and caught the error.
        try reader.check()
        return true
    }
}
