import CSQLite
import Foundation
import Trove

/// Another library's SQLite file, opened so that nothing of it can change.
///
/// A file without a log or a journal is opened as one that nobody changes, without locks. One with either is read from a private copy,
/// since SQLite would bring the file into order.
final class ForeignDatabase {
    /// The path that it was opened with.
    let path: String
    /// The path of the file itself, beside which its log and other data are: that of a link has none of them.
    let file: String
    let connection: OpaquePointer
    private let copy: URL?

    /// - Throws: ``ImportError``.
    init(_ path: String) throws {
        self.path = path
        guard FileManager.default.isReadableFile(atPath: path) else { throw ImportError.unreadable(path: path, reason: "there is no file that may be read") }
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        self.file = file
        let sidecars = ["-wal", "-journal"].filter { Self.size(file + $0) > 0 }
        do {
            copy = try sidecars.isEmpty ? nil : Self.copy(file, sidecars)
        } catch {
            throw ImportError.unreadable(path: path, reason: "it has a log, and no copy could be made to read it: \(FileFailure.reason(of: error))")
        }
        let opened = copy.map { $0.appendingPathComponent("copy").path } ?? file
        var handle: OpaquePointer?
        let code: Int32
        if copy == nil {
            let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
            let name = URL(fileURLWithPath: opened).path.addingPercentEncoding(withAllowedCharacters: allowed) ?? opened
            code = sqlite3_open_v2("file:\(name)?immutable=1", &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
        } else {
            code = sqlite3_open_v2(opened, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        }
        guard code == SQLITE_OK, let handle else {
            if let handle { sqlite3_close_v2(handle) }
            if let copy { try? FileManager.default.removeItem(at: copy) }
            throw ImportError.unreadable(path: path, reason: String(cString: sqlite3_errstr(code)))
        }
        connection = handle
        // What a file says of itself is not run: no functions of ours in its views and generated columns.
        _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        // No value takes more bytes than the file, or twice as many as UTF-8: but a generated column makes a gigabyte of nothing, for each row.
        let size = ([""] + sidecars).reduce(0) { $0 + Self.size(file + $1) }
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(Self.leastLimit, 2 * size)))
        do {
            try run("PRAGMA cell_size_check = 1")
            _ = try rows("SELECT count(*) FROM sqlite_master")
        } catch {
            close()
            throw error
        }
    }

    /// How many bytes a value may have in a small file.
    private static let leastLimit = 1 << 20

    deinit { close() }

    private var isClosed = false

    private func close() {
        if isClosed { return }
        isClosed = true
        sqlite3_close_v2(connection)
        if let copy { try? FileManager.default.removeItem(at: copy) }
    }

    private static func size(_ path: String) -> Int {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return 0 }
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    private static func copy(_ file: String, _ sidecars: [String]) throws -> URL {
        let files = FileManager.default
        let directory = files.temporaryDirectory.appendingPathComponent("trove-import-\(UUID().uuidString)")
        do {
            try files.createDirectory(at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for part in [""] + sidecars {
                let copy = directory.appendingPathComponent("copy\(part)").path
                try files.copyItem(atPath: file + part, toPath: copy)
                // A file that nobody may write keeps that in its copy, and SQLite could not roll a journal back.
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
            }
        } catch {
            try? files.removeItem(at: directory)
            throw error
        }
        return directory
    }

    // MARK: Questions

    func failure(_ place: String) -> ImportError { .damaged(path: path, place: place, reason: String(cString: sqlite3_errmsg(connection))) }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    /// Calls `body` with each row.
    func forEachRow(_ sql: String, _ arguments: [StoredValue] = [], _ body: (ForeignRow) throws -> Void) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure(sql) }
        defer { sqlite3_finalize(statement) }
        for (place, argument) in arguments.enumerated() {
            switch argument {
            case .int(let number): sqlite3_bind_int64(statement, Int32(place + 1), number)
            case .string(let text): _ = csqlite_bind_text_copy(statement, Int32(place + 1), text, UInt64(text.utf8.count))
            default: sqlite3_bind_null(statement, Int32(place + 1))
            }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(ForeignRow(statement: statement))
            case SQLITE_DONE: return
            default: throw failure(sql)
            }
        }
    }

    /// The names of a table's columns.
    func columns(of table: String) throws -> [String] {
        try rows("SELECT name FROM pragma_table_info(?)", [.string(table)]).compactMap { if case .string(let name) = $0[0] { name } else { nil } }
    }

    /// How many rows tables have in all.
    func rowCount(of tables: some Sequence<String>) throws -> Int {
        try tables.reduce(0) { sum, table in
            guard case .int(let count)? = try value("SELECT count(*) FROM \(table.asIdentifier)") else { return sum }
            return sum + Int(count)
        }
    }

    /// All rows, for answers that are short.
    func rows(_ sql: String, _ arguments: [StoredValue] = []) throws -> [[StoredValue]] {
        var rows: [[StoredValue]] = []
        try forEachRow(sql, arguments) { row in rows.append((0..<row.count).map { row.value($0) }) }
        return rows
    }

    /// The first value of the first row.
    func value(_ sql: String, _ arguments: [StoredValue] = []) throws -> StoredValue? { try rows(sql, arguments).first?.first }
}

/// A row that a statement stands on; valid until it is stepped.
struct ForeignRow {
    fileprivate let statement: OpaquePointer

    var count: Int { Int(sqlite3_column_count(statement)) }

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    func int(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    /// A value as it is stored. A text that is no UTF-8 is given as its bytes.
    func value(_ column: Int) -> StoredValue {
        let column = Int32(column)
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .int(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, column) else { return .null }
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            return String(sourceUTF8: bytes).map { .string($0) } ?? .data(Data(bytes))
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, column))
            guard count > 0, let start = sqlite3_column_blob(statement, column) else { return .data(Data()) }
            return .data(Data(bytes: start, count: count))
        default: return .null
        }
    }
}

extension String {
    /// The name as SQL has it.
    var asIdentifier: String { "\"" + replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
}
