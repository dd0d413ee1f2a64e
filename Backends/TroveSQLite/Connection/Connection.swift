import CSQLite
import TroveBackendKit
import TroveStorage

/// One SQLite connection with its prepared statements.
///
/// `@unchecked Sendable`: the connection has no lock of its own (`SQLITE_OPEN_NOMUTEX`). A reading connection
/// belongs to the thread that took it from the ``ReaderPool``, the writing one to the thread inside the engine's
/// `WriterGate`, and both hand it over under a lock.
final class Connection: @unchecked Sendable {
    /// A statement of each kind is kept ready, and this many more for scans inside scans.
    private static let spareLimit = 8
    /// Room for the longest prefix and the longest key.
    private static let keyCapacity = KeyPrefix.maxSize + StorageLimits.maxKeySize

    let handle: OpaquePointer
    let path: String
    let access: Access
    /// How long calls wait for locks of other processes.
    private(set) var busyTimeout: Duration

    /// The key of the operation at hand. Statements read it in their first step only, before any code of the caller runs.
    let key: UnsafeMutablePointer<UInt8>

    /// The numbers of keyspaces looked up on this connection, which one thread uses at a time.
    @exclusivity(unchecked) var names = KeyspaceNameCache()

    /// The size of the file's pages in bytes.
    private(set) var pageSize = 0

    /// The largest sum of the sizes of a key and a value that SQLite keeps on one page; see ``SQLiteWriter``.
    private(set) var maxInlineSize = 0

    /// Whether the file has a write-ahead log: to ask SQLite for one makes the file of its index, so a connection that only reads must know.
    var followsLog: Bool

    /// The index of the write-ahead log, which SQLite keeps mapped while the connection is open; nil before it is asked for.
    private var logIndex: UnsafeRawPointer?

    /// What stands between statements of the application's and Trove's tables.
    let sqlGuard = SQLGuard()
    /// Whether the transaction has run statements of the application's.
    var isInSQL = false

    /// How many savepoints and statements keep pages from the log; see ``holdPages()``.
    var pageHolds = 0

    /// What ``setSynchronous(isFull:)`` set last; nil before.
    private var isSynchronousFull: Bool?

    private var isClosed = false
    private let ready: UnsafeMutablePointer<OpaquePointer?>
    private var spare: [StatementKind: [OpaquePointer]] = [:]

    /// Opens the file without reading it yet.
    ///
    /// - Parameter timeout: How long calls wait for locks of other processes.
    init(path: String, access: Access, timeout: Duration) throws {
        try Self.requireSize(ofPath: path)
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(access.name(of: path), &handle, access.flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close(handle) }
            throw SQLiteFailure(code: code, handle: handle).error(path: path)
        }
        self.handle = handle
        self.path = path
        self.access = access
        followsLog = access.writes
        key = .allocate(capacity: Self.keyCapacity)
        ready = .allocate(capacity: StatementKind.allCases.count)
        ready.initialize(repeating: nil, count: StatementKind.allCases.count)
        busyTimeout = timeout
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, timeout.milliseconds)
    }

    deinit {
        close()
        key.deallocate()
        ready.deallocate()
    }

    /// Changes how long calls wait for locks of other processes.
    func wait(atMost timeout: Duration) {
        if timeout == busyTimeout { return }
        busyTimeout = timeout
        sqlite3_busy_timeout(handle, timeout.milliseconds)
    }

    /// Runs `body`, whose calls wait so long for locks of other processes, and afterwards those that follow as long as before.
    @discardableResult
    func waiting<Result>(atMost timeout: Duration, _ body: () throws -> Result) rethrows -> Result {
        let before = busyTimeout
        wait(atMost: timeout)
        defer { wait(atMost: before) }
        return try body()
    }

    /// Closes the connection. No statement may be running.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        finalizeStatements()
        sqlite3_close_v2(handle)
    }

    /// Forgets the prepared statements, as before VACUUM.
    func finalizeStatements() {
        for kind in StatementKind.allCases {
            sqlite3_finalize(ready[kind.rawValue])
            ready[kind.rawValue] = nil
        }
        for statement in spare.values.joined() { sqlite3_finalize(statement) }
        spare.removeAll()
    }

    /// Settings every connection needs. They read the file for the first time.
    func configure(cacheSize: Int, memoryMapSize: Int) throws {
        for (flag, value) in Self.flags { csqlite_set_flag(handle, flag, value) }
        sqlite3_wal_autocheckpoint(handle, 0)
        for register in [RowVisitor.register, KeyVisitor.register] {
            let code = register(handle)
            guard code == SQLITE_OK else { throw failure(code) }
        }
        try execute("PRAGMA trusted_schema = OFF")
        // Finds damage as pages are read; 1% of a get, 3% of a scan from the disk.
        try execute("PRAGMA cell_size_check = ON")
        // Debian builds SQLite to overwrite deleted content with zeros; that doubles the writing of a delete.
        try execute("PRAGMA secure_delete = OFF")
        try execute("PRAGMA cache_size = -\(max(1, cacheSize >> 10))")
        try execute("PRAGMA mmap_size = \(memoryMapSize)")
        #if canImport(Darwin)
        // There fsync leaves the data in the drive's cache.
        try execute("PRAGMA fullfsync = ON")
        try execute("PRAGMA checkpoint_fullfsync = ON")
        #endif
        pageSize = try integer("PRAGMA page_size")
        // SQLite's limit for what an index page keeps of a record, less the record's header.
        maxInlineSize = (pageSize - 12) * 64 / 255 - 23 - 8
    }

    /// The state of the write-ahead log at this moment; nil when it cannot be told.
    var logState: LogState? {
        guard followsLog else { return access == .readingUnlocked ? .only : nil }
        // The connection that makes the file has no log before its first transaction.
        if logIndex == nil { logIndex = csqlite_log_index(handle) }
        return logIndex.flatMap(LogState.init)
    }

    private static let flags: [(Int32, Int32)] = [
        (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
        (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
    ]

    // MARK: Statements

    /// A statement of `kind`, to be given back with ``give(_:_:)``.
    @inline(__always)
    func take(_ kind: StatementKind) throws -> OpaquePointer {
        if let statement = ready[kind.rawValue] {
            ready[kind.rawValue] = nil
            return statement
        }
        return try takeSpare(kind)
    }

    /// Ends what the statement does and keeps it for the next use.
    @inline(__always)
    func give(_ statement: OpaquePointer, _ kind: StatementKind) {
        sqlite3_reset(statement)
        if ready[kind.rawValue] == nil {
            ready[kind.rawValue] = statement
        } else {
            giveSpare(statement, kind)
        }
    }

    private func takeSpare(_ kind: StatementKind) throws -> OpaquePointer {
        if let statement = spare[kind]?.popLast() { return statement }
        return try prepare(kind.sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    }

    private func giveSpare(_ statement: OpaquePointer, _ kind: StatementKind) {
        guard spare[kind, default: []].count < Self.spareLimit else {
            sqlite3_finalize(statement)
            return
        }
        spare[kind, default: []].append(statement)
    }

    func prepare(_ sql: String, flags: UInt32 = 0) throws -> OpaquePointer {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        return statement
    }

    /// Chooses between `synchronous` FULL and NORMAL. Running the pragma costs microseconds, so only when it changes, and never in a transaction.
    func setSynchronous(isFull: Bool) throws {
        guard isFull != isSynchronousFull else { return }
        try execute(isFull ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        isSynchronousFull = isFull
    }

    /// Whether a transaction of ``StatementKind/begin`` runs. SQLite ends it by itself after some failures.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The error for what the last call on this connection returned.
    func failure(_ code: Int32) -> StorageError {
        SQLiteFailure(code: code, handle: handle).error(path: path)
    }
}
