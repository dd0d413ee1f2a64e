import CLMDB
import TroveStorage

#if canImport(Darwin)
import Darwin
#endif

extension Environment {
    /// Commits the outermost write transaction with the syncs that `durability` asks for. Frees it in every case.
    ///
    /// The flags belong to the environment, because LMDB 0.9 ignores them in `mdb_txn_begin`. Only the thread inside the writer
    /// gate sets them, and others look at other bits of the same word.
    ///
    /// `.buffered`: the data is synced and then the meta page is written, without a sync. LMDB writes its two meta pages
    /// in turn and never reuses the pages of the last two states, so a power loss goes back by one commit; the sync of
    /// the next commit, at any level but `.relaxed`, covers this meta page and the unsynced data of `.relaxed` commits before it.
    func commit(_ transaction: OpaquePointer, _ durability: Durability, isChanged: Bool) -> Int32 {
        let flags: Int32 =
            switch durability {
            case .durable: 0
            case .buffered: MDB_NOMETASYNC
            case .relaxed: MDB_NOSYNC
            }
        if flags != 0 {
            mdb_env_set_flags(pointer, UInt32(flags), 1)
            hasUnsyncedCommits.store(true, ordering: .releasing)
        }
        defer { if flags != 0 { mdb_env_set_flags(pointer, UInt32(flags), 0) } }
        let code = mdb_txn_commit(transaction)
        // A `synchronize()` beside the commit may have cleared it and synced before the pages were written.
        if flags != 0 { hasUnsyncedCommits.store(true, ordering: .releasing) }
        guard code == MDB_SUCCESS, durability == .durable, isChanged else { return code }
        hasUnsyncedCommits.store(false, ordering: .releasing)
        return flushDrive()
    }

    /// Makes everything committed so far durable.
    func synchronize() throws {
        hasUnsyncedCommits.store(false, ordering: .releasing)
        var code = mdb_env_sync(pointer, 1)
        if code == MDB_SUCCESS { code = flushDrive() }
        if code != MDB_SUCCESS {
            hasUnsyncedCommits.store(true, ordering: .releasing)
            throw errors.error(code, doing: "sync the file")
        }
    }

    /// On Apple systems a sync leaves the bytes in the drive's own cache; this empties that too.
    ///
    /// Between a commit's data and its meta page LMDB syncs by itself, with what its build offers; a build that uses plain
    /// `fsync` there relies on the drive to keep the order.
    private func flushDrive() -> Int32 {
        #if canImport(Darwin)
        var descriptor: Int32 = 0
        let code = mdb_env_get_fd(pointer, &descriptor)
        guard code == MDB_SUCCESS else { return code }
        // Some file systems have no full sync; there the plain one is all there is.
        if fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0 { return MDB_SUCCESS }
        return errno
        #else
        return MDB_SUCCESS
        #endif
    }
}
