import CSQLite
import TroveBackendKit
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SQLiteEngine {
    /// Opens the writing connection: refuses what is not a store without altering it, and makes a new store in an empty file.
    static func openWriter(_ file: StoreFile, _ options: SQLiteBackend.Options) throws -> Connection {
        try checked(Connection(path: file.path, access: .creating, timeout: options.writerTimeout)) { connection in
            let header = try connection.fileHeader()
            // SQLite calls a file of one byte empty too, and would write a store over it. One that has become longer since is made by another process.
            guard !header.isEmpty || file.size != 1 else {
                throw StorageError.notAStore(
                    .init(engine: name, path: file.path, message: "the file is too short for an SQLite database; choose another path"))
            }
            if try !header.isEmpty && !isUnfinished(file, header: header) {
                try StoreFormat.check(header: header, path: file.path)
                try checkLog(of: file, header: header, isReadOnly: false)
            }
            // A process that died while it made the store, or a power loss, leaves a journal that makes the file empty again.
            if try header.isEmpty || connection.integer("PRAGMA page_count") == 0 { try create(connection, options) }
            try checkStore(connection)
            try useLog(connection, options)
            try connection.configure(cacheSize: options.cacheSize, memoryMapSize: options.memoryMapSize)
            // One that had to wait may have waited for another process that destroyed the store.
            guard try !connection.fileHasMoved() else {
                throw StorageError.inputOutput(
                    .init(engine: name, path: file.path, message: "the file was moved or deleted while it was being opened; open the store again"))
            }
            csqlite_set_flag(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        }
    }

    /// Looks into the file through a connection that has just been opened, which is closed again when that fails.
    ///
    /// - Throws: ``StorageError/locked(_:)`` when another process keeps the file to itself; what `check` throws.
    static func checked(_ connection: Connection, _ check: (Connection) throws -> Void) throws -> Connection {
        do {
            // Until all is checked, closing the connection must not copy a log that may belong to another database.
            csqlite_set_flag(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            try check(connection)
            return connection
        } catch StorageError.timedOut(let details) {
            connection.close()
            throw StorageError.locked(details)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Begins a transaction that keeps the file alone; the connection has left the write-ahead log before.
    ///
    /// - Throws: ``StorageError/locked(_:)`` when another process has gone back to the log in between: there such a transaction only keeps other writers away.
    static func keepAlone(_ file: StoreFile, through connection: Connection) throws {
        try connection.execute("BEGIN EXCLUSIVE")
        guard try connection.text("PRAGMA journal_mode") == "delete" else { throw file.inUseError }
    }

    /// Makes the tables, with the rollback journal: so the first page is in the file itself, where the header is looked for.
    private static func create(_ connection: Connection, _ options: SQLiteBackend.Options) throws {
        try connection.execute("PRAGMA page_size = \(options.pageSize)")
        try connection.execute("PRAGMA auto_vacuum = NONE")
        try connection.execute("PRAGMA synchronous = FULL")
        try connection.execute("BEGIN EXCLUSIVE")
        // Another process may have been first.
        if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
            try connection.execute(StoreFormat.schema)
        }
        try connection.execute("COMMIT")
    }

    /// Whether the file is what a power loss has left of making a store: no header yet, and a journal of an empty file, which SQLite makes of it again.
    static func isUnfinished(_ file: StoreFile, header: [UInt8]) throws -> Bool {
        guard header.allSatisfy({ $0 == 0 }) else { return false }
        let journal = try StoreFile(engine: name, path: file.path + "-journal", isReadOnly: true)
        guard journal.exists else { return false }
        let start = try journal.bytes(count: 20)
        // SQLite's mark, the number of records, a random number, and how many pages the file had.
        return start.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]) && start.count == 20 && start[16...].allSatisfy { $0 == 0 }
    }

    /// Refuses a log that was left by a database with other pages; SQLite would take it for this file's.
    static func checkLog(of file: StoreFile, header: [UInt8], isReadOnly: Bool) throws {
        let path = file.path + "-wal"
        let log = try isReadOnly ? StoreFile(engine: name, path: path, isReadOnly: true) : StoreFile(engine: name, path: path)
        guard log.size >= 12 else { return }
        let start = try log.bytes(count: 12)
        guard start.count == 12, start.starts(with: [0x37, 0x7F, 0x06]) else { return }
        let logPageSize = start[8..<12].reduce(0) { $0 << 8 | Int($1) }
        let pageSize = Int(header[16]) << 8 | Int(header[17])
        guard logPageSize != (pageSize == 1 ? 65_536 : pageSize) else { return }
        throw StorageError.corrupt(
            .init(
                engine: name, path: file.path,
                message: "the log '\(file.path)-wal' belongs to another database, or the header is damaged; move the log away or restore a backup"))
    }

    /// Switches to the write-ahead log. Two processes that open a new store at once can be in each other's way, and SQLite does not wait here.
    private static func useLog(_ connection: Connection, _ options: SQLiteBackend.Options) throws {
        let deadline = Deadline(options.writerTimeout)
        while true {
            do {
                let mode = try connection.text("PRAGMA journal_mode = WAL")
                guard mode == "wal" else {
                    throw StorageError.unsupported(
                        .init(
                            engine: name, path: connection.path,
                            message: "the file system has no shared memory for the write-ahead log (mode '\(mode)'); use a local disk"))
                }
                break
            } catch StorageError.timedOut(let details) {
                guard !deadline.hasPassed else { throw StorageError.locked(details) }
                usleep(1_000)
            }
        }
        let pageSize = try connection.integer("PRAGMA page_size")
        try connection.execute("PRAGMA journal_size_limit = \(options.walAutocheckpoint * WriteAheadLog.patience * pageSize)")
    }

    /// Checks through SQLite what the raw header cannot show: the state with the log applied, and that our tables are there.
    static func checkStore(_ connection: Connection) throws {
        try StoreFormat.check(
            applicationID: UInt32(truncatingIfNeeded: try connection.integer("PRAGMA application_id")),
            version: UInt32(truncatingIfNeeded: try connection.integer("PRAGMA user_version")), path: connection.path)
        // The tables first: what a forged one has is not to be read.
        guard try StoreFormat.hasItsTables(connection), let generation = try connection.integer(.generation),
            (0...Int(SQLiteWriter.maxKeyspaceNumber)).contains(generation)
        else {
            throw StorageError.corrupt(
                .init(engine: name, path: connection.path, message: "tables of the store are missing or were changed; restore a backup"))
        }
        try checkEnd(of: connection)
    }

    /// Refuses a file that ends within its last page: SQLite takes what is missing for zeros, so that a part of the store seems to be empty.
    ///
    /// In one read, during which no other process makes the file shorter. Where there is a log, it has the page: a process may have been killed while it copied
    /// that. SQLite would fill up the file at the end of the copying.
    private static func checkEnd(of connection: Connection) throws {
        try connection.execute("BEGIN")
        let pageSize = try connection.integer("PRAGMA page_size")
        let expected = try connection.integer("PRAGMA page_count") * pageSize
        let found = Int(try connection.fileSize())
        let logSize = size(of: connection.path + "-wal")
        let endsBetweenPages = found % pageSize == 0
        let isWhole =
            try found >= expected || logSize > 0 && (endsBetweenPages || logHas(page: found / pageSize + 1, of: pageSize, beside: connection.path))
        guard isWhole else {
            throw StorageError.corrupt(
                .init(engine: name, path: connection.path, message: "the file is cut off: it should have \(expected) bytes and has \(found); restore a backup"))
        }
        try connection.execute("COMMIT")
    }

    /// Whether a page is in the log, also as it was before a later commit. Behind the log's header each page has one of its own, which begins with its number.
    private static func logHas(page: Int, of pageSize: Int, beside path: String) throws -> Bool {
        let log = try StoreFile(engine: name, path: path + "-wal", isReadOnly: true)
        return try stride(from: 32, to: log.size, by: 24 + pageSize).contains { place in
            try log.bytes(at: place, count: 4).reduce(0) { $0 << 8 | Int($1) } == page
        }
    }
}
