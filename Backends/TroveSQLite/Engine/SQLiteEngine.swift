import CSQLite
import Synchronization
import TroveBackendKit
import TroveStorage

/// The engine below every ``SQLiteBackend`` on one file: one connection that writes, a pool that reads, and the gates before them.
///
/// Readers share `gate` for as long as they run, so that closing and compacting can wait until they are away; writers hold `writerGate`.
final class SQLiteEngine: OwnCommitTelling, TransactionTelling {
    static let name = "SQLite"

    let file: StoreFile
    let options: SQLiteBackend.Options
    let writerGate = WriterGate()
    let gate = SharedExclusiveGate()

    /// Why nothing is written; nil when it is.
    let writeRefusal: StorageError?
    /// The files as they were opened, when they are read without locks.
    let unlockedStamp: StoreStamp?
    let process = ForkMark()

    /// Used inside `writerGate` only; in a store that is only read, what keeps the file open.
    let writer: Connection
    let readers: ReaderPool
    let log: WriteAheadLog
    /// The order of writers in several processes; nil where none can be kept. Used inside `writerGate` only.
    let queue: QueueFile?
    let ownCommits = OwnCommits()

    /// The read transactions that run now, nested ones too.
    private let activeReaders = Atomic(0)

    /// - Parameter writeRefusal: why the file is only read; nil when it is written too.
    init(file: StoreFile, options: SQLiteBackend.Options, writeRefusal: StorageError? = nil) throws {
        self.file = file
        self.options = options
        self.writeRefusal = writeRefusal
        let stamp = StoreStamp(ofStoreAt: file.path)
        writer = try writeRefusal == nil ? Self.openWriter(file, options) : Self.openReader(file, options)
        unlockedStamp = writer.access == .readingUnlocked ? stamp : nil
        readers = ReaderPool(limit: options.maxReaders) { [access = writer.access, followsLog = writer.followsLog, identity = file.identity] timeout in
            let connection = try Connection(path: file.path, access: access == .creating ? .writing : access, timeout: timeout)
            // Another store may be at the path by now.
            guard file.identity == identity, try !connection.fileHasMoved() else { throw file.movedError }
            connection.followsLog = followsLog
            try connection.configure(cacheSize: options.cacheSize, memoryMapSize: options.memoryMapSize)
            return connection
        }
        log = WriteAheadLog(threshold: options.walAutocheckpoint, path: file.path, watching: writer)
        queue = writeRefusal != nil ? nil : QueueFile.open(forStoreAt: file.path, until: Deadline(options.writerTimeout))
    }

    /// Whether the log or its index lie beside the path, and may be those that this engine uses: its place in the queue is there as well, which others
    /// who clear the path remove with them.
    var hasLogAtPath: Bool {
        guard unlockedStamp == nil, queue?.isAtPath ?? true else { return false }
        return ["-wal", "-shm"].contains { FileStamp(file.path + $0, followsLinks: false) != nil }
    }

    static let capabilities = StorageCapabilities(
        engine: name, engineVersion: String(cString: sqlite3_libversion()),
        readersDuringWrite: .proceed, canReadInsideWrite: true, canWriteInsideRead: true,
        sharing: .manyProcesses, countsInConstantTime: false, sharesSnapshots: true, opensReadOnly: true, readsDamagedFiles: true,
        maxKeyspaces: Int(SQLiteWriter.maxKeyspaceNumber),
        promises: [.relaxed: .powerLossButSuffix, .buffered: .powerLossButSuffix, .durable: .powerLoss])

    func details(_ message: String) -> StorageError.Details {
        StorageError.Details(engine: Self.name, path: file.path, message: message)
    }

    /// Throws in a child that was forked while the store was open.
    @inline(__always)
    func checkProcess() throws { try process.check(engine: Self.name, path: file.path) }

    func beginState() -> TransactionState {
        TransactionState(
            engine: Self.name, path: file.path,
            maxKeySize: StorageLimits.maxKeySize, maxValueSize: StorageLimits.maxValueSize)
    }

    var activeReaderCount: Int { activeReaders.load(ordering: .relaxed) }

    // MARK: Reading

    /// Runs a read. `checkIsOpen` is called before anything else, and when the store can no longer be closed beneath it.
    func read(timeout: Duration, _ checkIsOpen: () throws -> Void, _ body: (any StorageReader) throws -> Void) throws {
        try withReader(timeout: timeout, checkIsOpen) { connection in
            let logState = connection.logState
            let pin = try connection.pinSnapshot()
            defer { connection.give(pin, .generation) }
            activeReaders.add(1, ordering: .relaxed)
            let reader = SQLiteReader(of: self, on: connection, logState: logState)
            defer {
                reader.finish()
                if activeReaders.subtract(1, ordering: .relaxed).newValue == 0 && log.isCheckpointOwed && !process.isInherited {
                    sqlite3_reset(pin)
                    log.checkpointAfterReaders(connection)
                }
            }
            try body(reader)
        }
    }

    /// Runs `body` with a connection for reading, outside any transaction, while the store cannot be closed or compacted.
    ///
    /// A thread inside a transaction gets a connection whatever the bound, because those in use may be waiting for it.
    func withReader<Result>(timeout: Duration, _ checkIsOpen: () throws -> Void, _ body: (Connection) throws -> Result) throws -> Result {
        try checkProcess()
        // The pool would open the file again, or make an error of that it is gone. What comes between is found below.
        try checkIsOpen()
        let connection = try readers.take(timeout: timeout) {
            gate.isSharedByCurrentThread || writerGate.isHeldByCurrentThread
        }
        guard let connection else {
            throw StorageError.timedOut(
                details("waited longer than readerTimeout for one of \(options.maxReaders) connections; keep reads short or raise maxReaders"))
        }
        defer { readers.give(connection) }
        try enterShared(timeout: timeout)
        defer { gate.leaveShared() }
        try checkIsOpen()
        try checkIsUnwritten()
        let result = try body(connection)
        try checkIsUnwritten()
        return result
    }
}
