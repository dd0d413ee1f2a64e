import CSQLite
import TroveStorage

extension SQLiteReader {
    /// From how many keys on one statement finds them all: its beginning costs as much as two searches.
    private static let keysForVisit = 4

    /// One statement for all keys; in a write transaction one for each, since what the body changes may move the value that it is given.
    final func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        guard keys.count >= Self.keysForVisit, !(self is SQLiteWriter) else { return try getEach(keys, in: keyspace, body) }
        try check(keyspace)
        try keys.forEach { key in
            try check(key)
            return .next
        }
        try withoutActuallyEscaping(body) { body in
            var visitor = KeyVisitor(self, body)
            if try visit(keys, keyspace.number, &visitor) == SQLITE_DONE { _ = try visitor.skip(to: keys.count) }
        }
    }

    /// Lets the visitor take the values of the keys that have one; returns `SQLITE_DONE` unless it had enough before.
    private func visit(_ keys: KeyList, _ number: UInt32, _ visitor: inout KeyVisitor) throws -> Int32 {
        let statement = try take(.visitMany)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
            connection.give(statement, .visitMany)
        }
        let code = KeyPrefix.bytes(number).withUnsafeBufferPointer { prefix in
            keys.withTable(prefix: prefix) { table in
                withUnsafeMutablePointer(to: &visitor) { visitor in
                    var code = csqlite_bind_keys(statement, 1, table)
                    if code == SQLITE_OK { code = csqlite_bind_visitor(statement, 2, visitor) }
                    return code == SQLITE_OK ? sqlite3_step(statement) : code
                }
            }
        }
        if let error = visitor.error { throw error }
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failed(code) }
        return code
    }
}

extension KeyList {
    /// Calls `body` with the keys as SQLite reads them, each behind a prefix.
    fileprivate func withTable(prefix: UnsafeBufferPointer<UInt8>, _ body: (UnsafePointer<csqlite_keys>) -> Int32) -> Int32 {
        buffer.withUnsafeBufferPointer { bytes in
            ends.map(Int64.init).withUnsafeBufferPointer { ends in
                var table = csqlite_keys(
                    bytes: bytes.baseAddress, ends: ends.isEmpty ? nil : ends.baseAddress, width: Int64(commonWidth ?? 0), count: Int64(count),
                    prefix: prefix.baseAddress, prefix_size: Int32(prefix.count))
                return withUnsafePointer(to: &table, body)
            }
        }
    }
}
