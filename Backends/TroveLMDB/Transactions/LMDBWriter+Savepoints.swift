import CLMDB
import TroveStorage

extension LMDBWriter {
    /// What a rollback brings back.
    private struct Saved {
        let dbis: [MDB_dbi]
        let renamed: [[UInt8]: Int?]
        let freeSlots: [Int]?
        let newHandles: [MDB_dbi]
        let changes: Int
    }

    /// A nested transaction of LMDB's.
    func savepoint(_ body: () throws -> Void) throws {
        try state.check()
        for index in tails.indices { tails[index].endRun() }
        let outer = transaction
        let saved = Saved(dbis: dbis, renamed: renamed, freeSlots: freeSlots, newHandles: newHandles, changes: changes)
        var nested: OpaquePointer?
        var code = mdb_txn_begin(environment.pointer, outer, 0, &nested)
        guard code == MDB_SUCCESS, let inner = nested else { throw fail(code, doing: "begin a savepoint") }
        lastLevel += 1
        levels.append(lastLevel)
        transaction = inner
        do {
            try body()
            try state.check()
        } catch {
            forgetTails()
            environment.handles.opening.withLock { _ in mdb_txn_abort(inner) }
            noteUndone(level)
            leave(to: outer)
            restore(saved)
            // A full map spoils the whole transaction, which will run again.
            if !isMapFull { state.recover() }
            throw error
        }
        for index in tails.indices { tails[index].endRun() }
        code = mdb_txn_commit(inner)
        if code != MDB_SUCCESS { noteUndone(level) }
        leave(to: outer)
        if code != MDB_SUCCESS {
            forgetTails()
            restore(saved)
            throw fail(code, doing: "end a savepoint")
        }
    }

    /// Goes back to the level outside, where the cursors that were given back meanwhile can be closed.
    private func leave(to outer: OpaquePointer) {
        levels.removeLast()
        transaction = outer
        for handle in parked where handle.level == level { mdb_cursor_close(handle.pointer) }
        parked.removeAll { $0.level == level }
    }

    private func restore(_ saved: Saved) {
        generation &+= 1
        // The numbers of keyspaces created inside stay taken, so that their handles stay invalid.
        dbis = saved.dbis + Array(repeating: 0, count: dbis.count - saved.dbis.count)
        renamed = saved.renamed
        freeSlots = saved.freeSlots
        newHandles = saved.newHandles
        changes = saved.changes
    }

    private func forgetTails() {
        for index in tails.indices { tails[index].forget() }
    }
}
