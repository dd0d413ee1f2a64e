import CLMDB

/// LMDB's part of a reader: a transaction that is reset after use and renewed for the next read, with cursors kept for reuse.
///
/// One thread at a time has it, with its reader.
final class ReadSlot {
    /// A cursor and the renewal it was last bound to.
    private struct IdleCursor {
        let dbi: MDB_dbi
        let pointer: OpaquePointer
        let renewal: Int
    }

    let transaction: OpaquePointer
    private var renewal = 0
    private var idle: [IdleCursor] = []

    /// The keyspaces of the snapshot that was asked for last, and its number.
    private var known: (catalogue: Catalogue, snapshot: Int)?

    init(transaction: OpaquePointer) { self.transaction = transaction }

    /// Tells that the transaction was renewed, so cursors must be bound to it again.
    func wasRenewed() { renewal += 1 }

    /// The keyspaces of the transaction's snapshot, looked up by `load` unless they are known.
    func catalogue(_ load: (_ snapshot: Int) throws -> Catalogue) rethrows -> Catalogue {
        let snapshot = mdb_txn_id(transaction)
        if let known, known.snapshot == snapshot { return known.catalogue }
        let catalogue = try load(snapshot)
        known = (catalogue, snapshot)
        return catalogue
    }

    /// A cursor on the database, with no position.
    func takeCursor(on dbi: MDB_dbi, _ cursor: inout OpaquePointer?) -> Int32 {
        guard let index = idle.lastIndex(where: { $0.dbi == dbi }) else { return mdb_cursor_open(transaction, dbi, &cursor) }
        let found = idle.remove(at: index)
        cursor = found.pointer
        return found.renewal == renewal ? MDB_SUCCESS : mdb_cursor_renew(transaction, found.pointer)
    }

    /// Keeps a cursor for the next who needs one. Sixteen are kept: more are open at once only in wide merges.
    func giveBack(_ cursor: OpaquePointer, on dbi: MDB_dbi) {
        if idle.count == 16 { mdb_cursor_close(idle.removeFirst().pointer) }
        idle.append(IdleCursor(dbi: dbi, pointer: cursor, renewal: renewal))
    }

    /// Frees the transaction and its place in the table of readers.
    func close() {
        for cursor in idle { mdb_cursor_close(cursor.pointer) }
        idle.removeAll()
        mdb_txn_abort(transaction)
    }
}
