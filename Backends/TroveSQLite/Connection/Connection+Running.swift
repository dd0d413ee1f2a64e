import CSQLite

extension Connection {
    /// Runs a statement that returns no rows, and returns how many rows it changed.
    @discardableResult
    func run(_ kind: StatementKind, _ bind: (OpaquePointer) -> Void = { _ in }) throws -> Int {
        let statement = try take(kind)
        defer { give(statement, kind) }
        bind(statement)
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else { throw failure(code) }
        return Int(sqlite3_changes64(handle))
    }

    /// The first column of the first row as an integer, or nil when there is no row or it is NULL.
    func integer(_ kind: StatementKind, _ bind: (OpaquePointer) -> Void = { _ in }) throws -> Int? {
        let statement = try take(kind)
        defer { give(statement, kind) }
        bind(statement)
        let code = sqlite3_step(statement)
        if code == SQLITE_DONE { return nil }
        guard code == SQLITE_ROW else { throw failure(code) }
        return sqlite3_column_type(statement, 0) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(statement, 0))
    }

    /// Runs SQL that is needed once.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// The integer that SQL needed once returns.
    func integer(_ sql: String) throws -> Int {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else { throw failure(code) }
        return Int(sqlite3_column_int64(statement, 0))
    }

    /// The text that SQL needed once returns.
    func text(_ sql: String) throws -> String {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else { throw failure(code) }
        return sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
    }

    /// Writes a compact copy of the state at this moment to a new file. Not inside a transaction.
    ///
    /// - Parameter destination: the path that the copy gets in the end, which an error names where the copy finds no room: nothing else is written.
    func vacuum(into path: String, for destination: String) throws {
        let statement = try prepare("VACUUM INTO ?1")
        defer { sqlite3_finalize(statement) }
        // The copy by SQLite lives as long as the statement.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(statement, 1, path, -1, transient)
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else {
            let error = failure(code)
            if case .diskFull = error { throw SQLiteFailure(code: code, handle: handle).error(path: destination) }
            throw error
        }
    }
}
