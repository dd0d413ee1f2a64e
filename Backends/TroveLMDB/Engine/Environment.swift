import CLMDB
import Synchronization
import TroveBackendKit
import TroveStorage

/// An open LMDB environment: the mapped file, its handles and its pool of read transactions.
///
/// The pointer may be used by any thread that shares the engine's gate or is inside its writer gate; the engine closes and
/// remaps the environment only when it has both alone. LMDB itself serializes what its threads share.
final class Environment: @unchecked Sendable {
    struct Pool {
        var idle: [LMDBReader] = []
        /// The keyspaces of the committed states from `first` to `last`.
        var catalogue: Catalogue?
        var first = 0
        var last = -1
    }

    /// LMDB gives the unnamed database, which names the others, this number.
    static let mainDBI: MDB_dbi = 1
    /// The database of free pages. Only read transactions may open it.
    static let freeDBI: MDB_dbi = 0

    let pointer: OpaquePointer
    let access: Access
    private let process = ForkMark()
    let fileGuard: StoreGuard
    /// The order of writers in several processes; nil where none can be kept.
    let processGate: ProcessGate?
    /// How long calls wait for other processes.
    let timeout: Duration
    private static let lastNumber = Atomic<UInt64>(0)
    /// A number that no other environment of the process has.
    let number = Environment.lastNumber.add(1, ordering: .relaxed).newValue
    /// Held by a thread that uses the table of readers: the lock between processes knows no threads.
    let tableUse = Mutex<Void>(())
    let errors: LMDBErrors
    let handles: HandleTable
    var catalogueDBI: MDB_dbi = 0
    let pool = Mutex(Pool())
    let maxIdleReaders: Int
    /// The places of the file of locks, as many as the process wanted that made it.
    let maxReaders: Int
    /// The file of locks as it was found beside the path; nil when none is used.
    let lockFile: FileStamp?

    /// How much of the file was checked. Set when the environment is opened, before another thread has it; what LMDB writes later needs no check.
    var checkedExtent = CheckedMark.Extent.branchPages

    /// How many pages the file had when the table of readers was last cleared of dead processes. Only for the thread inside the writer gate.
    var pagesAtClearing = 0

    /// Whether commits have been made that a power loss could undo.
    let hasUnsyncedCommits = Atomic<Bool>(false)

    /// Takes over an environment that `mdb_env_open` has opened.
    init(
        pointer: OpaquePointer, access: Access, fileGuard: StoreGuard, processGate: ProcessGate?, maxKeyspaces: Int, timeout: Duration, errors: LMDBErrors
    ) {
        self.pointer = pointer
        self.access = access
        self.fileGuard = fileGuard
        self.processGate = processGate
        self.timeout = timeout
        self.errors = errors
        handles = HandleTable(capacity: maxKeyspaces)
        var places: UInt32 = 0
        mdb_env_get_maxreaders(pointer, &places)
        maxReaders = Int(places)
        lockFile = access == .readingUnlocked ? nil : FileStamp(errors.path + "-lock", followsLinks: false)
        maxIdleReaders = max(1, min(64, maxReaders / 4))
    }

    /// Leaves a mark beside the file, so that the next opening need not check the pages again.
    ///
    /// A process that commits meanwhile makes the mark one of an earlier state, which nobody believes.
    func markAsChecked() {
        do {
            let state = try FileHeader(descriptor: fileGuard.descriptor, errors: errors).newest.transaction
            CheckedMark.leave(for: fileGuard.descriptor, at: errors.path, state: UInt64(state), extent: checkedExtent)
        } catch {
            // The next opening finds what is wrong with the file.
            return
        }
    }

    /// Closes the environment. No transaction may run, and none may begin afterwards.
    func close() {
        pool.withLock { pool in
            for reader in pool.idle { reader.slot.close() }
            pool = Pool()
        }
        processGate?.close()
        mdb_env_close(pointer)
    }

    // MARK: Transactions

    /// Runs `body` in a transaction of its own and commits it; handles opened in it stay open.
    func withTransaction<Result>(_ flags: Int32, _ body: (OpaquePointer) throws -> Result) throws -> Result {
        var transaction: OpaquePointer?
        let code = flags & MDB_RDONLY == 0 ? mdb_txn_begin(pointer, nil, UInt32(flags), &transaction) : try beginReading(&transaction)
        try check(code, "begin a transaction")
        let result: Result
        do {
            result = try body(transaction!)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try check(mdb_txn_commit(transaction), "end a transaction")
        return result
    }

    /// Runs `body`, which writes, when it is this process's turn: nobody waits for LMDB's own lock, which knows no end of waiting, and may leave
    /// a process asleep for ever when another one is killed that waits too.
    func takingTurn<Result>(until deadline: Deadline, _ body: () throws -> Result) throws -> Result {
        guard let processGate else { return try body() }
        guard let turn = processGate.enter(until: deadline) else {
            throw errors.timedOut(deadline.timeout, waitingFor: "a write of another process to end")
        }
        // In a forked child the turn is the parent's.
        defer { if !process.isInherited { processGate.leave(turn) } }
        return try body()
    }

    /// - Throws: ``MapIsOutgrown`` when another process has outgrown the map.
    func check(_ code: Int32, _ doing: String) throws {
        if code == MDB_MAP_RESIZED { throw MapIsOutgrown() }
        if code != MDB_SUCCESS { throw errors.error(code, doing: doing) }
    }
}
