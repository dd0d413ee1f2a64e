import CSQLite

/// What SQLite asks before it compiles a statement of the application's, so that none touches what is Trove's.
///
/// It stays with the connection from the first statement of a transaction until that ends, since setting and removing it makes SQLite compile all prepared
/// statements anew; Trove's own pass while it is not on.
///
/// `@unchecked Sendable`: it belongs to its ``Connection``, and to the thread that has that.
final class SQLGuard: @unchecked Sendable {
    /// Whether the statement that is compiled is the application's.
    var isOn = false
    /// What the last one was refused for.
    var refusal: String?
    /// Whether the one that is compiled changes the definition of a table. SQLite does not tell the new name of one that is renamed.
    var altersTable = false

    /// What tells of a database and changes nothing.
    private static let harmlessPragmas: Set<String> = [
        "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list", "foreign_key_check", "database_list",
        "compile_options", "function_list",
        "collation_list", "module_list", "data_version",
    ]

    /// What the names of Trove's tables begin with, and then those of the indexes that SQLite makes for them.
    private static let reservedPrefixes = ["trove_", "sqlite_autoindex_trove_"]

    /// - Returns: `SQLITE_OK` or `SQLITE_DENY`.
    func judge(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
        guard isOn else { return SQLITE_OK }
        if action == SQLITE_ALTER_TABLE { altersTable = true }
        guard let problem = problem(action, first ?? "", second ?? "") else { return SQLITE_OK }
        refusal = refusal ?? problem
        return SQLITE_DENY
    }

    private func problem(_ action: Int32, _ first: String, _ second: String) -> String? {
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
            return "Trove begins and ends the transaction; undo a part of it by transaction.savepoint"
        case SQLITE_ATTACH, SQLITE_DETACH: return "other databases cannot be attached"
        case SQLITE_PRAGMA:
            return Self.harmlessPragmas.contains(first.lowercased()) ? nil : "the pragma '\(first)' affects the connection, which belongs to Trove"
        case SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_VIEW, SQLITE_CREATE_TEMP_TRIGGER:
            return "temporary tables would outlive the transaction; create a normal table, and drop it"
        case SQLITE_READ, SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE: return nil
        default:
            let name = [first, second].first { name in Self.reservedPrefixes.contains { name.lowercased().hasPrefix($0) } }
            return name.map { "'\($0)' belongs to Trove; \(Self.namesAreReserved)" }
        }
    }

    static let namesAreReserved = "names of the application's own tables do not begin with \(reservedPrefixes[0])"

    /// Counts the tables whose names are reserved.
    static let countOfReserved = """
        SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND lower(substr(name, 1, \(reservedPrefixes[0].utf8.count))) = '\(reservedPrefixes[0])'
        """
}

extension Connection {
    /// Asks the guard from now on, and lets the schema's triggers and views work, which the application may have made for its tables.
    func beginSQL() {
        guard !isInSQL else { return }
        isInSQL = true
        for flag in [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW] { csqlite_set_flag(handle, flag, 1) }
        // The guard lives as long as the connection.
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                return Unmanaged<SQLGuard>.fromOpaque(context).takeUnretainedValue()
                    .judge(action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
            }, Unmanaged.passUnretained(sqlGuard).toOpaque())
    }

    /// The connection is Trove's alone again.
    func endSQL() {
        guard isInSQL else { return }
        isInSQL = false
        sqlite3_set_authorizer(handle, nil, nil)
        for flag in [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW] { csqlite_set_flag(handle, flag, 0) }
    }
}
