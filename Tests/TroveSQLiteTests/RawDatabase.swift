import CSQLite

/// A connection of its own, standing for another process: SQLite keeps connections apart in the same way.
final class RawDatabase {
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        let description: String
    }

    private let handle: OpaquePointer

    init(_ path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let handle else { throw Failure(code: code, description: "cannot open \(path)") }
        self.handle = handle
        // The test decides when the file changes.
        csqlite_set_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    deinit { sqlite3_close(handle) }

    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Failure(code: code, description: "\(sql): \(String(cString: sqlite3_errmsg(handle)))") }
    }

    /// The first column of the first row as text.
    func value(_ sql: String) throws -> String {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        guard code == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else {
            throw Failure(code: code, description: "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
        }
        return String(cString: text)
    }
}
