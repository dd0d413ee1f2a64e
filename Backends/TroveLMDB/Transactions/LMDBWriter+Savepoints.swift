import CLMDB
import TroveStorage

extension LMDBWriter {
    /// A nested transaction of LMDB's.
    func savepoint(_ body: () throws -> Void) throws {
        try check()
        tails.endRuns()
        let outer = core.pointee.transaction
        let mark = keyspaces.mark
        let changes = core.pointee.changes
        var nested: OpaquePointer?
        var code = mdb_txn_begin(environment.pointer, outer, 0, &nested)
        guard code == MDB_SUCCESS, let inner = nested else { throw fail(code, doing: "begin a savepoint") }
        lastLevel += 1
        levels.append(lastLevel)
        core.pointee.transaction = inner
        do {
            try body()
            try check()
        } catch {
            environment.handles.opening.withLock { _ in mdb_txn_abort(inner) }
            undo(to: mark, changes: changes, outer)
            // A full map spoils the whole transaction, which will run again.
            if !isMapFull { recover() }
            throw error
        }
        tails.endRuns()
        code = mdb_txn_commit(inner)
        if code != MDB_SUCCESS {
            undo(to: mark, changes: changes, outer)
            throw fail(code, doing: "end a savepoint")
        }
        leave(to: outer)
    }

    /// Goes back to the level outside, where the cursors that were given back meanwhile can be closed.
    private func leave(to outer: OpaquePointer) {
        levels.removeLast()
        core.pointee.transaction = outer
        for handle in parked where handle.level == level { mdb_cursor_close(handle.pointer) }
        parked.removeAll { $0.level == level }
    }

    /// Goes back to the level outside and to what was known there, after LMDB has undone the innermost one.
    private func undo(to mark: WriterKeyspaces.Mark, changes: Int, _ outer: OpaquePointer) {
        tails.forget()
        noteUndone(level)
        leave(to: outer)
        keyspaces.undo(to: mark)
        showKeyspaces()
        core.pointee.generation &+= 1
        core.pointee.changes = changes
    }
}
