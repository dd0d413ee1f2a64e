import CLMDB
import TroveBackendKit
import TroveStorage

/// Another process has enlarged the file beyond this one's map: the map has to be enlarged, with no transaction running, and the call made again.
struct MapIsOutgrown: Error {}

extension Environment {
    /// How often a transaction begins again because a commit came between; see ``hasWholeState(_:)``.
    private static let renewals = 8

    /// Stands for the state that a commit has made, in the environment: a compaction makes another one, whose numbers may begin anew.
    func stamp(ofCommit number: UInt64) -> StateStamp { StateStamp(self.number, number) }

    /// The number of the last commit, of whatever process; nil when LMDB does not tell.
    var lastCommit: UInt64? {
        var information = MDB_envinfo()
        return mdb_env_info(pointer, &information) == MDB_SUCCESS ? UInt64(information.me_last_txnid) : nil
    }

    /// Begins a transaction again that was reset. Returns LMDB's code.
    func renew(_ transaction: OpaquePointer) -> Int32 {
        for _ in 0..<Self.renewals {
            let code = mdb_txn_renew(transaction)
            if code != MDB_SUCCESS || hasWholeState(transaction) { return code }
            mdb_txn_reset(transaction)
        }
        return mdb_txn_renew(transaction)
    }

    /// Whether all that a transaction has taken over as it began is of the state whose number it has.
    ///
    /// LMDB takes the number and then copies the meta page with that parity. Where the thread is interrupted between, another process
    /// may commit twice, and the page is of a later state, or half of one and half of another. No later state, no such commit. After a kill in the
    /// middle of a commit a later state is there before LMDB tells its number, until somebody writes; so one does not ask for ever.
    func hasWholeState(_ transaction: OpaquePointer) -> Bool {
        var information = MDB_envinfo()
        return mdb_env_info(pointer, &information) == MDB_SUCCESS && information.me_last_txnid == mdb_txn_id(transaction)
    }

    /// Whether the state whose number LMDB keeps in the lock file is the last one, or the one before, where a writer was killed in the last moment of
    /// its commit.
    ///
    /// It is not where a program other than Trove was killed while it opened the store; see ``StoreGuard/openingAlone(until:errors:_:)``. A transaction
    /// would begin from an old state and write over newer ones. The next process that is the first to open the store mends the lock file.
    var lockFileKnowsState: Bool {
        // A writer may commit between the two looks.
        for _ in 0..<100 {
            var transaction: OpaquePointer?
            do {
                // What else is wrong is for others to find.
                guard try beginReading(&transaction) == MDB_SUCCESS else { return true }
            } catch {
                return true
            }
            defer { mdb_txn_abort(transaction) }
            var information = MDB_envinfo()
            guard mdb_env_info(pointer, &information) == MDB_SUCCESS else { return true }
            let (seen, last) = (mdb_txn_id(transaction), information.me_last_txnid)
            // State 0 has nothing in it, and is what a cleared lock file has.
            if seen == last || (seen + 1 == last && seen > 0) { return true }
        }
        return false
    }

    /// Calls `body` with readers of the state that a running transaction sees, as long as it is the last one.
    ///
    /// They are fewer than wanted when it is no more, and when the table of readers is full or whatever else is in the way: who asks for them does without.
    func withReaders(upTo count: Int, of snapshot: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        var readers: [LMDBReader] = []
        defer { while let reader = readers.popLast() { endRead(reader) } }
        while readers.count < count, let reader = beginRead(of: snapshot) { readers.append(reader) }
        try body(readers)
    }

    /// A reader of the last state, when that is the one with this number.
    private func beginRead(of snapshot: Int) -> LMDBReader? {
        let reader: LMDBReader
        do {
            reader = try beginRead()
        } catch {
            return nil
        }
        if mdb_txn_id(reader.slot.transaction) == snapshot, hasWholeState(reader.slot.transaction) { return reader }
        endRead(reader)
        return nil
    }

    /// Begins a read transaction with a place of its own in the table of readers. Returns LMDB's code.
    func beginReading(_ transaction: inout OpaquePointer?) throws -> Int32 {
        let code = try usingReaderTable { mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &transaction) }
        guard code == MDB_READERS_FULL else { return code }
        try makeRoomForReaders()
        return try usingReaderTable { mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &transaction) }
    }

    /// Gives back the places in the table of readers that nobody uses: those of this process that wait for the next read,
    /// and those of processes that were killed.
    func makeRoomForReaders() throws {
        closeIdleReaders()
        // LMDB looks for the dead only when it is told to.
        _ = try usingReaderTable { mdb_reader_check(pointer, nil) }
    }

    /// How many pages the file may grow by before somebody looks whether a dead process keeps its free pages from use.
    private static let pagesBetweenClearings = 64

    /// Clears the table of readers when the file has grown: a process that was killed in a read keeps its snapshot, and every page of later ones, until
    /// somebody looks. A write that finds free pages makes no file grow and pays for the question alone. For the thread inside the writer gate.
    func clearDeadReadersOfGrowingFile() throws {
        var information = MDB_envinfo()
        guard mdb_env_info(pointer, &information) == MDB_SUCCESS, information.me_last_pgno >= pagesAtClearing + Self.pagesBetweenClearings else { return }
        if try clearDeadReaders() != nil { pagesAtClearing = information.me_last_pgno }
    }

    /// Gives back the places of processes that were killed, and returns how many; nil when somebody else has the table, whom no write waits for.
    func clearDeadReaders() throws -> Int? {
        var dead: Int32 = 0
        let code = try tableUse.withLockIfAvailable { _ -> Int32? in
            do {
                return try fileGuard.usingReaderTable(until: Deadline(.zero), errors: errors) { mdb_reader_check(pointer, &dead) }
            } catch StorageError.locked {
                return nil
            }
        } ?? nil
        return code.map { _ in Int(dead) }
    }

    /// Runs `body`, in which LMDB locks its table of readers, while no other thread or process of Trove's does that. Returns LMDB's code.
    func usingReaderTable(_ body: () -> Int32) throws -> Int32 {
        try tableUse.withLock { _ in try fileGuard.usingReaderTable(until: Deadline(timeout), errors: errors, body) }
    }

    /// Enlarges the map to the size another process has given the file. No transaction may run.
    func followGrowth() throws { try check(mdb_env_set_mapsize(pointer, 0), "enlarge the store's map") }
}
