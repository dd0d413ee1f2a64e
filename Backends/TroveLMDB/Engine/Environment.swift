import CLMDB
import Synchronization
import TroveBackendKit
import TroveStorage

/// An open LMDB environment: the mapped file, its handles and its pool of read transactions.
///
/// The pointer may be used by any thread that shares the engine's gate or is inside its writer gate; the engine closes and
/// remaps the environment only when it has both alone. LMDB itself serializes what its threads share.
final class Environment: @unchecked Sendable {
    private struct Pool {
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
    private(set) var catalogueDBI: MDB_dbi = 0
    private let pool = Mutex(Pool())
    private let maxIdleReaders: Int

    /// How much of the file was checked. Set when the environment is opened, before another thread has it; what LMDB writes later needs no check.
    var checkedExtent = CheckedMark.Extent.branchPages

    /// Whether commits have been made that a power loss could undo.
    let hasUnsyncedCommits = Atomic<Bool>(false)

    /// Takes over an environment that `mdb_env_open` has opened.
    init(
        pointer: OpaquePointer, fileGuard: StoreGuard, processGate: ProcessGate?, maxKeyspaces: Int, timeout: Duration, errors: LMDBErrors
    ) {
        self.pointer = pointer
        self.fileGuard = fileGuard
        self.processGate = processGate
        self.timeout = timeout
        self.errors = errors
        handles = HandleTable(capacity: maxKeyspaces)
        var places: UInt32 = 0
        mdb_env_get_maxreaders(pointer, &places)
        maxIdleReaders = max(1, min(64, Int(places) / 4))
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

    // MARK: Keyspaces

    /// Opens the catalogue, made when the store is new, and the handles of all slots.
    func openDatabases() throws {
        var slots = try withTransaction(MDB_RDONLY) { try slotCount(in: $0) }
        if slots == nil {
            // Another process may be doing the same: LMDB lets one in and the other finds the catalogue made.
            try takingTurn(until: Deadline(timeout)) {
                try withTransaction(0) { transaction in
                    var dbi: MDB_dbi = 0
                    try check(mdb_dbi_open(transaction, Catalogue.databaseName, UInt32(MDB_CREATE), &dbi), "create the catalogue")
                }
            }
            slots = try withTransaction(MDB_RDONLY) { try slotCount(in: $0) }
        }
        try openHandles()
    }

    /// How many slots the state that `transaction` sees has; nil when it has no catalogue.
    func slotCount(in transaction: OpaquePointer) throws -> Int? {
        var statistics = MDB_stat()
        try check(mdb_stat(transaction, Self.mainDBI, &statistics), "count the keyspaces")
        return statistics.ms_entries == 0 ? nil : statistics.ms_entries - 1
    }

    /// Opens the handles of slots that were made since the last look, in a transaction of its own.
    ///
    /// Never needed while a write transaction of this process runs: that has looked when it began, and keeps other processes from making slots.
    func openHandles() throws {
        try handles.opening.withLock { _ in
            var opened: [MDB_dbi] = []
            try withTransaction(MDB_RDONLY) { transaction in
                if catalogueDBI == 0 {
                    var dbi: MDB_dbi = 0
                    try check(mdb_dbi_open(transaction, Catalogue.databaseName, 0, &dbi), "open the catalogue")
                    catalogueDBI = dbi
                }
                let slots = try slotCount(in: transaction) ?? 0
                guard slots <= handles.capacity else {
                    throw StorageError.tooManyKeyspaces(
                        errors.details("the file has \(slots) keyspaces; open the store with a larger `maxKeyspaces`"))
                }
                for slot in handles.count..<max(slots, handles.count) {
                    var dbi: MDB_dbi = 0
                    try check(mdb_dbi_open(transaction, Catalogue.databaseName(ofSlot: slot), 0, &dbi), "open a keyspace")
                    opened.append(dbi)
                }
            }
            for dbi in opened { handles.append(dbi) }
        }
    }

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
        defer { processGate.leave(turn) }
        return try body()
    }

    /// - Throws: ``MapIsOutgrown`` when another process has outgrown the map.
    func check(_ code: Int32, _ doing: String) throws {
        if code == MDB_MAP_RESIZED { throw MapIsOutgrown() }
        if code != MDB_SUCCESS { throw errors.error(code, doing: doing) }
    }

    // MARK: Reading

    /// Begins a read transaction whose keyspaces all have handles.
    ///
    /// - Throws: ``MapIsOutgrown`` when another process has outgrown the map.
    func beginRead() throws -> LMDBReader {
        while true {
            let known = handles.count  // Before the renewal, so that the renewed transaction knows these handles.
            let reader = try renewedReader()
            var statistics = MDB_stat()
            guard mdb_stat(reader.slot.transaction, Self.mainDBI, &statistics) == MDB_SUCCESS, statistics.ms_entries <= known + 1 else {
                endRead(reader)
                try openHandles()
                continue
            }
            return reader
        }
    }

    /// Ends a read transaction and keeps it for the next one.
    func endRead(_ reader: consuming LMDBReader) {
        reader.finishState()
        mdb_txn_reset(reader.slot.transaction)
        // A body may have kept the reader or a cursor of it; such a one stays ended, and LMDB's part gets another.
        if !isKnownUniquelyReferenced(&reader) { reader = LMDBReader(environment: self, slot: reader.slot) }
        keep(reader)
    }

    /// Each keeps a place in the table of readers, which all processes share; so no more wait for the next read than a part of it.
    private func keep(_ reader: LMDBReader) {
        let isKept = pool.withLock { pool in
            if pool.idle.count >= maxIdleReaders { return false }
            pool.idle.append(reader)
            return true
        }
        if !isKept { reader.slot.close() }
    }

    /// Gives back the places of the readers that wait for the next read.
    func closeIdleReaders() {
        let idle = pool.withLock { pool in
            defer { pool.idle = [] }
            return pool.idle
        }
        for reader in idle { reader.slot.close() }
    }

    private func renewedReader() throws -> LMDBReader {
        if let reader = pool.withLock({ $0.idle.popLast() }) {
            let code = renew(reader.slot.transaction)
            if code == MDB_SUCCESS {
                reader.begin()
                return reader
            }
            keep(reader)
            try check(code, "begin a read")
        }
        var transaction: OpaquePointer?
        var code = try beginReading(&transaction)
        try check(code, "begin a read")
        guard let transaction else { throw errors.error(MDB_BAD_TXN, doing: "begin a read") }
        if !hasWholeState(transaction) {
            mdb_txn_reset(transaction)
            code = renew(transaction)
            if code != MDB_SUCCESS { mdb_txn_abort(transaction) }
            try check(code, "begin a read")
        }
        return LMDBReader(environment: self, slot: ReadSlot(transaction: transaction))
    }

    // MARK: Catalogues

    /// The keyspaces that `transaction` sees, when it is of the state with the number `snapshot`.
    func catalogue(in transaction: OpaquePointer, snapshot: Int) throws -> Catalogue {
        let kept = pool.withLock { ($0.first...max($0.first, $0.last)).contains(snapshot) ? $0.catalogue : nil }
        if let kept { return kept }
        let loaded = try loadCatalogue(in: transaction)
        pool.withLock { pool in
            if snapshot > pool.last { (pool.catalogue, pool.first, pool.last) = (loaded, snapshot, snapshot) }
        }
        return loaded
    }

    /// Tells that this process made the state with the number `snapshot`, whose keyspaces are `catalogue`.
    func committed(_ catalogue: Catalogue, snapshot: Int) {
        pool.withLock { pool in
            if pool.catalogue === catalogue, pool.last == snapshot - 1 {
                pool.last = snapshot
            } else if snapshot > pool.last {
                (pool.catalogue, pool.first, pool.last) = (catalogue, snapshot, snapshot)
            }
        }
    }

    private func loadCatalogue(in transaction: OpaquePointer) throws -> Catalogue {
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(transaction, catalogueDBI, &cursor), "read the catalogue")
        defer { mdb_cursor_close(cursor) }
        var (names, slots, dbis): ([[UInt8]], [Int], [MDB_dbi]) = ([], [], [])
        var (key, value) = (MDB_val(), MDB_val())
        var code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        while code == MDB_SUCCESS {
            guard value.mv_size == 4 else { throw errors.corrupt("an entry of the catalogue has a wrong size") }
            let slot = Int(UInt32(littleEndian: value.bytes.loadUnaligned(as: UInt32.self)))
            guard slot < handles.count else { throw errors.corrupt("the catalogue names keyspace \(slot), which does not exist") }
            names.append([UInt8](key.bytes))
            slots.append(slot)
            dbis.append(handles[slot])
            code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
        }
        guard code == MDB_NOTFOUND else { throw errors.error(code, doing: "read the catalogue") }
        return Catalogue(names: names, slots: slots, dbis: dbis)
    }
}
