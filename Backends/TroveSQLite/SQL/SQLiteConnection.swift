import CSQLite
import TroveStorage

/// SQL inside a transaction of a store on SQLite, for the application's own tables, in the same commit as its objects.
///
/// ```swift
/// try store.write { transaction in
///     let sql = try transaction.engine(SQLiteConnection.self)
///     try sql.execute("CREATE TABLE IF NOT EXISTS visits (page TEXT PRIMARY KEY, count INTEGER NOT NULL)")
///     try sql.execute("INSERT INTO visits VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1", .text(page))
///     try transaction.save(song)
/// }
/// let most = try store.read { try $0.engine(SQLiteConnection.self).rows("SELECT page, count FROM visits ORDER BY count DESC LIMIT ?", 10) }
/// for row in most { print(row["page"]?.text ?? "", row["count"]?.integer ?? 0) }
/// ```
///
/// Values go into statements as arguments, never into their text. Statements see what the transaction has changed; savepoints of the transaction hold for them
/// too. One that fails changes nothing, and the transaction goes on.
///
/// Refused by ``StorageError/unsupported(_:)`` are changes of Trove's tables, which begin with `trove_`, of transactions, pragmas that change something,
/// temporary tables and attached databases. Triggers, views, foreign keys (not enforced), virtual tables and what else SQLite has may be used.
///
/// After the transaction every method throws ``StorageError/transactionFinished(_:)``.
public struct SQLiteConnection: EngineAccess {
    public static var engineName: String { SQLiteEngine.name }

    private let reader: SQLiteReader
    private var connection: Connection { reader.connection }

    public init?(_ reader: any StorageReader) {
        guard let reader = reader as? SQLiteReader else { return nil }
        self.reader = reader
    }

    /// Runs one statement; returns the number of rows that it changed itself, without those of triggers.
    ///
    /// - Throws: ``StorageError/engineFailure(_:)`` with SQLite's words for a statement that cannot be compiled or that a constraint refuses;
    ///   ``StorageError/readOnly(_:)`` for one that changes something in a read; ``StorageError/unsupported(_:)`` for one that would touch what is Trove's, and
    ///   for another number of arguments than it has parameters.
    @discardableResult
    public func execute(_ sql: String, _ arguments: SQLiteValue...) throws -> Int { try execute(sql, arguments: arguments) }

    /// Runs one statement with an array of arguments.
    @discardableResult
    public func execute(_ sql: String, arguments: [SQLiteValue]) throws -> Int {
        let before = sqlite3_total_changes(connection.handle)
        var changes = 0
        try forEachRow(sql, arguments: arguments) { _, _ in } atEnd: {
            // Of a statement that changes no rows SQLite tells the number of the one before.
            changes = sqlite3_total_changes(connection.handle) == before ? 0 : Int(sqlite3_changes(connection.handle))
        }
        return changes
    }

    /// The rows that a statement returns.
    ///
    /// - Throws: as ``execute(_:_:)``.
    public func rows(_ sql: String, _ arguments: SQLiteValue...) throws -> [SQLiteRow] { try rows(sql, arguments: arguments) }

    /// The rows that a statement returns, with an array of arguments.
    public func rows(_ sql: String, arguments: [SQLiteValue]) throws -> [SQLiteRow] {
        var rows: [SQLiteRow] = []
        try forEachRow(sql, arguments: arguments) { row, _ in rows.append(row) }
        return rows
    }

    /// Calls `body` with each row that a statement returns, until it sets `stop`. It may run further statements, change objects and make savepoints.
    ///
    /// The rows of a statement that changes something, as by `RETURNING`, are kept in memory: `body` is called when all its changes are made.
    ///
    /// - Throws: as ``execute(_:_:)``; what `body` throws.
    public func forEachRow(_ sql: String, arguments: [SQLiteValue] = [], _ body: (_ row: SQLiteRow, _ stop: inout Bool) throws -> Void) throws {
        try forEachRow(sql, arguments: arguments, body) {}
    }

    private func forEachRow(
        _ sql: String, arguments: [SQLiteValue], _ body: (SQLiteRow, inout Bool) throws -> Void, atEnd: () -> Void
    ) throws {
        try reader.check()
        let statement = try prepare(sql)
        guard sqlite3_stmt_readonly(statement) == 0 else {
            defer { sqlite3_finalize(statement) }
            try bind(arguments, to: statement)
            try step(statement, body)
            return atEnd()
        }
        // All of its changes come before its first row. SQLite refuses savepoints while it runs, so `body` comes after it.
        var stop = false
        for row in try changing(statement, arguments, atEnd) where !stop {
            try body(row, &stop)
            try reader.check()
        }
    }

    /// Runs a statement that changes something, finalizes it, and returns its rows.
    private func changing(_ statement: OpaquePointer, _ arguments: [SQLiteValue], _ atEnd: () -> Void) throws -> [SQLiteRow] {
        var holdsPages = false
        defer {
            sqlite3_finalize(statement)
            if holdsPages { connection.letPagesGo() }
        }
        try bind(arguments, to: statement)
        (reader as? SQLiteWriter)?.changesTables = true
        // One that fails is undone by SQLite, in the way of a savepoint.
        try connection.holdPages()
        holdsPages = true
        var rows: [SQLiteRow] = []
        let run = { try step(statement) { row, _ in rows.append(row) } }
        if connection.sqlGuard.altersTable { try refusingReservedNames(run) } else { try run() }
        atEnd()
        return rows
    }

    /// Runs `body`, which may rename a table, and undoes that when the table's new name is one of Trove's.
    private func refusingReservedNames(_ body: () throws -> Void) throws {
        let before = try connection.integer(SQLGuard.countOfReserved)
        try connection.execute("SAVEPOINT trove_altering")
        do {
            try body()
            guard try connection.integer(SQLGuard.countOfReserved) == before else {
                throw unsupported("the table's new name belongs to Trove; \(SQLGuard.namesAreReserved)")
            }
            try connection.execute("RELEASE trove_altering")
        } catch {
            // After some failures SQLite has rolled the whole transaction back.
            if connection.isInTransaction { try reader.poisoning { try connection.execute("ROLLBACK TO trove_altering; RELEASE trove_altering") } }
            throw error
        }
    }

    private func step(_ statement: OpaquePointer, _ body: (SQLiteRow, inout Bool) throws -> Void) throws {
        let columns = (0..<sqlite3_column_count(statement)).map { sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? "" }
        var stop = false
        while !stop {
            connection.sqlGuard.isOn = true
            // SQLite compiles it again by itself when the schema has changed.
            let code = sqlite3_step(statement)
            connection.sqlGuard.isOn = false
            if code == SQLITE_DONE { break }
            guard code == SQLITE_ROW else { throw failure(code) }
            try body(SQLiteRow(columns: columns, values: try columns.indices.map { try value(statement, Int32($0)) }), &stop)
            try reader.check()
        }
    }

    // MARK: - Statements

    private func prepare(_ sql: String) throws -> OpaquePointer {
        // SQLite reads up to it, and would run the beginning of the statement.
        guard !sql.utf8.contains(0) else { throw unsupported("the text of the statement has a zero byte, at which it would end; give values as arguments") }
        connection.beginSQL()
        let sqlGuard = connection.sqlGuard
        sqlGuard.refusal = nil
        sqlGuard.altersTable = false
        sqlGuard.isOn = true
        defer { sqlGuard.isOn = false }
        var sql = sql
        return try sql.withUTF8 { text in
            try text.withMemoryRebound(to: CChar.self) { text in
                let (first, tail) = try compile(text)
                guard let first else { throw unsupported("there is no statement in the text") }
                do {
                    if let second = try compile(tail).statement {
                        sqlite3_finalize(second)
                        throw unsupported("there are several statements in the text; run them one by one")
                    }
                    guard reader is SQLiteWriter || sqlite3_stmt_readonly(first) != 0 else {
                        throw StorageError.readOnly(details("the statement changes something, and the transaction only reads; run it in a write"))
                    }
                } catch {
                    sqlite3_finalize(first)
                    throw error
                }
                return first
            }
        }
    }

    /// Compiles the first statement of a text; nil for one of spaces and comments.
    private func compile(_ text: UnsafeBufferPointer<CChar>) throws -> (statement: OpaquePointer?, tail: UnsafeBufferPointer<CChar>) {
        guard let start = text.baseAddress, !text.isEmpty else { return (nil, text) }
        guard let size = Int32(exactly: text.count) else { throw unsupported("the text is longer than SQLite accepts") }
        var statement: OpaquePointer?
        var end: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(connection.handle, start, size, 0, &statement, &end)
        guard code == SQLITE_OK else { throw failure(code) }
        let used = end.map { start.distance(to: $0) } ?? text.count
        return (statement, UnsafeBufferPointer(rebasing: text[used...]))
    }

    private func bind(_ arguments: [SQLiteValue], to statement: OpaquePointer) throws {
        let count = Int(sqlite3_bind_parameter_count(statement))
        guard count == arguments.count else {
            throw unsupported("the statement has \(count) \(count == 1 ? "parameter" : "parameters"), but there are \(arguments.count) arguments")
        }
        for (number, argument) in arguments.enumerated() {
            let code = argument.bind(to: statement, Int32(number + 1))
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    private func value(_ statement: OpaquePointer, _ index: Int32) throws -> SQLiteValue {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, index) else { throw failure(SQLITE_NOMEM) }
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))), as: UTF8.self))
        case SQLITE_BLOB: return .blob(try connection.withColumn(statement, index) { [UInt8](copying: $0) })
        default: return .null
        }
    }

    // MARK: - Errors

    /// The error for what a statement of the application's returned. What concerns the file, or has ended the transaction, leaves nothing but rolling back.
    private func failure(_ code: Int32) -> StorageError {
        connection.sqlGuard.isOn = false
        if code & 0xFF == SQLITE_AUTH, let refusal = connection.sqlGuard.refusal { return unsupported(refusal) }
        let error = connection.failure(code)
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FULL, SQLITE_NOMEM, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY: return reader.poison(with: error)
        default:
            let words = String(cString: sqlite3_errmsg(connection.handle))
            let own = StorageError.engineFailure(details("SQLite: \(words)", code: code))
            // INSERT OR ROLLBACK, and a trigger that raises ROLLBACK. A read has no transaction but a running statement, which keeps its snapshot.
            guard reader is SQLiteWriter, !connection.isInTransaction else { return own }
            return reader.poison(with: own)
        }
    }

    private func unsupported(_ message: String) -> StorageError { .unsupported(details(message)) }

    private func details(_ message: String, code: Int32? = nil) -> StorageError.Details {
        .init(engine: SQLiteEngine.name, path: connection.path, message: message, code: code.map { String($0) })
    }
}
