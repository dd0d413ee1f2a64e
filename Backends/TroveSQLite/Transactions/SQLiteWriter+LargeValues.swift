import CSQLite
import TroveStorage

/// Values that do not fit on a page of the entries' tree; see ``StoreFormat``.
///
/// The entry then holds the row's id. Whoever overwrites or deletes an entry must remove the row, and looks
/// for one only in keyspaces that have any.
extension SQLiteWriter {
    @inline(__always)
    func isSmall(_ key: RawSpan, _ value: RawSpan) -> Bool {
        key.byteCount + value.byteCount <= connection.maxInlineSize - KeyPrefix.maxSize
    }

    /// Whether the keyspace is known to have no large values.
    @inline(__always)
    func hasNoLargeValues(_ number: UInt32) throws -> Bool {
        if smallKeyspace == number { return true }
        return try findLargeValues(number)
    }

    @inline(never)
    private func findLargeValues(_ number: UInt32) throws -> Bool {
        let isLarge: Bool
        if let known = largeValues[number] {
            isLarge = known
        } else {
            isLarge = try lastLargeValueID(number) != nil
            largeValues[number] = isLarge
        }
        if !isLarge { smallKeyspace = number }
        return !isLarge
    }

    private func firstID(_ number: UInt32) -> Int64 { Int64(number) << 32 }

    private func lastLargeValueID(_ number: UInt32) throws -> Int64? {
        try poisoning {
            try connection.integer(.lastLargeValue) {
                sqlite3_bind_int64($0, 1, firstID(number))
                sqlite3_bind_int64($0, 2, firstID(number + 1))
            }.map(Int64.init)
        }
    }

    /// The id of the key's value, nil when there is no such entry or its value is small.
    func largeValueID(_ key: RawSpan, in keyspace: Keyspace) throws -> Int64? {
        let statement = try take(.get)
        defer { connection.give(statement, .get) }
        connection.bindKey(statement, keyspace.number, key)
        let code = sqlite3_step(statement)
        if code == SQLITE_DONE { return nil }
        guard code == SQLITE_ROW else { throw failed(code) }
        guard sqlite3_column_type(statement, 0) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(statement, 0)
    }

    /// Stores a small value where there may be a large one.
    func putOverLarge(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        try store(.insert, key, value, in: keyspace)
        if sqlite3_changes(connection.handle) > 0 { return }
        if let id = try largeValueID(key, in: keyspace) {
            try run(.deleteLargeValue) { sqlite3_bind_int64($0, 1, id) }
        }
        try store(.put, key, value, in: keyspace)
    }

    func putLarge(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        // A damaged file may have an entry without its row.
        if let id = try largeValueID(key, in: keyspace), try storeLarge(.updateLargeValue, id, value) > 0 { return }
        let id = try newID(in: keyspace.number)
        try storeLarge(.insertLargeValue, id, value)
        try storeID(.put, key, id, in: keyspace)
    }

    func insertLarge(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let id = try newID(in: keyspace.number)
        try storeID(.insert, key, id, in: keyspace)
        guard sqlite3_changes(connection.handle) > 0 else { return false }
        try storeLarge(.insertLargeValue, id, value)
        return true
    }

    private func newID(in number: UInt32) throws -> Int64 {
        let id = try lastLargeValueID(number).map { $0 + 1 } ?? firstID(number)
        guard id < firstID(number + 1) else {
            throw StorageError.tooManyKeyspaces(
                .init(engine: SQLiteEngine.name, path: connection.path, message: "a keyspace has held 2^32 large values; copy it to a new one"))
        }
        largeValues[number] = true
        if smallKeyspace == number { smallKeyspace = nil }
        return id
    }

    /// Returns the number of rows.
    @discardableResult
    private func storeLarge(_ kind: StatementKind, _ id: Int64, _ value: RawSpan) throws -> Int {
        try value.withUnsafeBytes { value in
            try run(kind) {
                sqlite3_bind_int64($0, 1, id)
                connection.bind($0, 2, value)
            }
        }
    }

    private func storeID(_ kind: StatementKind, _ key: RawSpan, _ id: Int64, in keyspace: Keyspace) throws {
        try run(kind) {
            connection.bindKey($0, keyspace.number, key)
            sqlite3_bind_int64($0, 2, id)
        }
    }
}
