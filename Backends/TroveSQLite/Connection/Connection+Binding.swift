import CSQLite
import TroveStorage

/// Memory is bound without a copy (a nil destructor is `SQLITE_STATIC`); it must live until the statement's first step has returned.
extension Connection {
    /// Makes `key` in keyspace `number` the statement's first parameter. Its size must have been checked.
    @inline(__always)
    func bindKey(_ statement: OpaquePointer, _ number: UInt32, _ bytes: RawSpan) {
        let prefix = KeyPrefix.write(number, to: key)
        bytes.withUnsafeBytes { bytes in
            // Both sizes are bounded by the capacity of `key`.
            UnsafeMutableRawPointer(key + prefix).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
            sqlite3_bind_blob(statement, 1, key, Int32(prefix + bytes.count), nil)
        }
    }

    /// Binds bytes that live until the first step has returned. A null pointer would be NULL, so no bytes need some pointer.
    @inline(__always)
    func bind(_ statement: OpaquePointer, _ index: Int32, _ bytes: UnsafeRawBufferPointer) {
        sqlite3_bind_blob(statement, index, bytes.baseAddress ?? UnsafeRawPointer(key), Int32(bytes.count), nil)
    }

    /// Calls `body` with the bytes of a column, which live until the statement is stepped or reset.
    @inline(__always)
    func withColumn<Result>(_ statement: OpaquePointer, _ index: Int32, _ body: (RawSpan) throws -> Result) throws -> Result {
        let start = sqlite3_column_blob(statement, index)
        let count = Int(sqlite3_column_bytes(statement, index))
        if start == nil && count > 0 { throw failure(SQLITE_NOMEM) }
        return try body(UnsafeRawBufferPointer(start: start, count: count).bytes)
    }
}
