import CLMDB
import TroveBackendKit
import TroveStorage

extension LMDBEngine {
    /// Runs `body` on a snapshot. The backend that asks for it is asked whether it is open once it can no longer be closed meanwhile, here and in the others.
    func read(timeout: Duration, for user: LMDBBackend, _ body: (any StorageReader) throws -> Void) throws {
        let deadline = Deadline(timeout)
        var remaining = timeout
        while true {
            try enterShared(timeout: remaining)
            do {
                defer { gate.leaveShared() }
                try user.checkIsNotClosed()
                let environment = try openEnvironment()
                try checkIsUnwritten()
                if let reader = try outgrownIsNil(environment.beginRead) {
                    do {
                        try body(reader)
                    } catch {
                        // In a forked child its place in the table of readers is the parent's.
                        if !process.isInherited { environment.endRead(reader) }
                        throw error
                    }
                    try checkProcess()
                    // With the last reference, or the next read would make another one.
                    environment.endRead(consume reader)
                    return try checkIsUnwritten()
                }
            }
            try adoptForeignGrowth(timeout: deadline.remaining)
            remaining = deadline.remaining
        }
    }

    /// Throws when a file that is read without locks was written.
    private func checkIsUnwritten() throws {
        guard let unlockedStamp, FileStamp(path) != unlockedStamp else { return }
        throw StorageError.inputOutput(
            errors.details("another program has changed the file, which was read without locks since none could be made beside it; open the store again"))
    }

    /// Runs `body` while the environment stays as it is, again when another process has outgrown the map meanwhile: so it must take back what it did.
    func sharingGateOfGrowingFile<Result>(
        timeout: Duration, for user: LMDBBackend, _ body: (Environment) throws -> Result
    ) throws -> Result {
        let deadline = Deadline(timeout)
        while true {
            do {
                return try sharingGate(timeout: deadline.remaining, for: user, body)
            } catch is MapIsOutgrown {
                try adoptForeignGrowth(timeout: deadline.remaining)
            }
        }
    }

    /// What `begin` returns; nil when another process has outgrown the map.
    private func outgrownIsNil<Result>(_ begin: () throws -> Result) throws -> Result? {
        do { return try begin() } catch is MapIsOutgrown { return nil }
    }

    /// Runs `body` as a write transaction, again in a larger map when the map was full.
    func write(
        _ durability: Durability, timeout: Duration, for user: LMDBBackend, _ body: (any StorageWriter) throws -> Void
    ) throws {
        while true {
            // A body that runs again waits again.
            switch try attempt(durability, until: Deadline(timeout), for: user, body) {
            case .committed: return
            case .mapIsOutgrown: try adoptForeignGrowth(timeout: timeout)
            case .mapIsFull(let bytes): try grow(toHold: bytes, timeout: timeout)
            }
        }
    }

    /// How one run of a write ended.
    private enum Attempt {
        case committed
        /// Another process has outgrown this one's map.
        case mapIsOutgrown
        /// The map is too small for a write of so many bytes.
        case mapIsFull(bytes: Int)
    }

    private func attempt(
        _ durability: Durability, until deadline: Deadline, for user: LMDBBackend, _ body: (any StorageWriter) throws -> Void
    ) throws -> Attempt {
        try enterWriterGate(timeout: deadline.remaining)
        defer { writerGate.leave() }
        try user.checkIsNotClosed()
        let environment = try openEnvironment()
        return try environment.takingTurn(until: deadline) {
            try environment.clearDeadReadersOfGrowingFile()
            guard let writer = try outgrownIsNil({ try beginWrite(in: environment) }) else { return .mapIsOutgrown }
            let base = UInt64(mdb_txn_id(writer.core.pointee.transaction)) - 1
            var isChanged = false
            let isFollowed = ownCommits.begin { environment.stamp(ofCommit: base) }
            defer { if isFollowed { noteEnd(in: environment, since: base, isChanged: isChanged) } }
            do {
                try body(writer)
                try checkProcess()
                try writer.check()
            } catch {
                // In a forked child it is the parent's transaction.
                if process.isInherited { throw error }
                writer.rollBack()
                if writer.isMapFull { return .mapIsFull(bytes: writer.core.pointee.bytesWritten) }
                throw error
            }
            isChanged = writer.core.pointee.changes > 0
            let code = writer.commit(durability)
            if code == MDB_MAP_FULL { return .mapIsFull(bytes: writer.core.pointee.bytesWritten) }
            try environment.check(code, "commit the transaction")
            return .committed
        }
    }

    /// Notes the state that a write leaves, before the turn is another process's. Programs that keep no turns may have committed since, and are counted.
    private func noteEnd(in environment: Environment, since base: UInt64, isChanged: Bool) {
        let last = environment.lastCommit
        ownCommits.end(at: last.map(environment.stamp), isOwn: (last ?? base) &- base <= (isChanged ? 1 : 0))
    }

    /// Begins a write transaction in which every slot has a handle.
    ///
    /// - Throws: ``MapIsOutgrown`` when another process has outgrown the map.
    private func beginWrite(in environment: Environment) throws -> LMDBWriter {
        while true {
            let known = environment.handles.count
            var begun: OpaquePointer?
            let code = mdb_txn_begin(environment.pointer, nil, 0, &begun)
            try environment.check(code, "begin a write")
            guard let transaction = begun else { throw errors.error(MDB_BAD_TXN, doing: "begin a write") }
            do {
                if try environment.slotCount(in: transaction) ?? 0 > known {
                    mdb_txn_abort(begun)
                    begun = nil
                    try environment.openHandles()
                    continue
                }
                // The transaction has the number of the state it will make and sees the one before.
                let catalogue = try environment.catalogue(in: transaction, snapshot: mdb_txn_id(transaction) - 1)
                return LMDBWriter(environment: environment, transaction: transaction, catalogue: catalogue)
            } catch {
                if let begun { mdb_txn_abort(begun) }
                throw error
            }
        }
    }

    // MARK: The map

    /// Enlarges the map for a write of at least so many bytes; not when a dead process has kept pages from use, which the write may do with.
    private func grow(toHold bytes: Int, timeout: Duration) throws {
        try checkMapMayChange()
        try alone(until: Deadline(timeout), for: "enlarging the store's map") {
            let environment = try openEnvironment()
            if let dead = try environment.clearDeadReaders(), dead > 0 { return }
            var information = MDB_envinfo()
            try environment.check(mdb_env_info(environment.pointer, &information), "look at the map")
            let old = information.me_mapsize
            let room = old > Int.max / 4 ? Int.max / 4 : old
            // Twice as large, and at least enough for this write with its tree pages and copies of changed pages.
            try resize(environment, from: old, to: Environment.rounded(old + max(room, 3 * min(bytes, Int.max / 16))))
        }
    }

    /// Takes over the map size another process has given the file.
    private func adoptForeignGrowth(timeout: Duration) throws {
        try checkMapMayChange()
        try alone(until: Deadline(timeout), for: "following another process that has enlarged the store") {
            let environment = try openEnvironment()
            var information = MDB_envinfo()
            try environment.check(mdb_env_info(environment.pointer, &information), "look at the map")
            try resize(environment, from: information.me_mapsize, to: 0)
        }
    }

    /// Throws where the wait for all reads would be one for snapshots: it would keep new reads out, and end by nobody's doing.
    private func checkMapMayChange() throws {
        let count = heldReads.count
        guard count > 0 else { return }
        throw StorageError.unsupported(
            errors.details(
                """
                the store has outgrown its map, which all reads have to end for, and \(count == 1 ? "a snapshot is" : "\(count) snapshots are") open; close \
                them and call again, or open the store with a larger mapSize
                """))
    }

    /// Maps the file anew. When the system refuses, LMDB has already given up the old map, so the store is opened again with the old size.
    private func resize(_ environment: Environment, from old: Int, to new: Int) throws {
        let code = mdb_env_set_mapsize(environment.pointer, new)
        if code == MDB_SUCCESS { return }
        let error = errors.error(code, doing: "enlarge the store's map")
        environment.close()
        replaceEnvironment(by: nil)
        try openAgain(environment, fileGuard: environment.fileGuard, mapSize: old)
        throw error
    }
}
