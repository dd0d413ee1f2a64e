import CLMDB
import TroveStorage

/// What read and write transactions have in common: looking things up.
class LMDBTransaction {
    final let environment: Environment
    final var state: TransactionState
    /// LMDB's transaction; in a savepoint the innermost one.
    final var transaction: OpaquePointer
    /// The LMDB database of each keyspace number; 0 where the keyspace is gone.
    final var dbis: [MDB_dbi] = []
    /// Goes up with every change, so that cursors and scans know when to look for their place again.
    final var generation = 0
    /// How many closures run that were lent bytes out of the map.
    final var lending = 0

    init(environment: Environment, transaction: OpaquePointer) {
        self.environment = environment
        self.transaction = transaction
        state = TransactionState(
            engine: LMDBErrors.engine, path: environment.errors.path, maxKeySize: StorageLimits.maxKeySize,
            maxValueSize: StorageLimits.maxValueSize)
    }

    // MARK: Cursors of LMDB's, which the subclasses keep in different ways

    /// A cursor on the database, with no position.
    func openCursor(on dbi: MDB_dbi) throws -> CursorHandle {
        var cursor: OpaquePointer?
        let code = mdb_cursor_open(transaction, dbi, &cursor)
        guard code == MDB_SUCCESS, let cursor else { throw fail(code, doing: "open a cursor") }
        return CursorHandle(pointer: cursor, dbi: dbi, level: 0)
    }

    /// Takes a cursor back, while the transaction runs or afterwards.
    func closeCursor(_ handle: CursorHandle) { mdb_cursor_close(handle.pointer) }

    /// Whether what was made in the savepoint with this number was undone.
    func isUndone(_ level: Int) -> Bool { false }

    /// Whether the cursor may be used now: savepoints put the cursors made before them out of use.
    func isUsable(_ handle: CursorHandle) -> Bool { true }

    // MARK: Checks

    /// The database of the keyspace, after checking that transaction and handle are good.
    @inline(__always)
    final func dbi(of keyspace: Keyspace) throws -> MDB_dbi {
        try state.check(keyspace)
        let number = Int(keyspace.number)
        guard number < dbis.count, dbis[number] != 0 else { throw state.goneKeyspace }
        return dbis[number]
    }

    /// The error for LMDB's code; the transaction can only roll back from now on.
    final func fail(_ code: Int32, doing: String) -> StorageError {
        noteFailure(code)
        return state.poison(with: environment.errors.error(code, doing: doing))
    }

    /// Lets the writer look at LMDB's code.
    func noteFailure(_ code: Int32) {}

    // MARK: Reading

    final func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        let dbi = try dbi(of: keyspace)
        try state.checkKey(key)
        var value = MDB_val()
        let code = key.withUnsafeBytes { bytes in
            var key = MDB_val(bytes)
            return mdb_get(transaction, dbi, &key, &value)
        }
        if code != MDB_SUCCESS {
            if code == MDB_NOTFOUND { return false }
            throw fail(code, doing: "look up a key")
        }
        lending += 1
        defer { lending -= 1 }
        try body(value.bytes.bytes)
        return true
    }

    final func count(in keyspace: Keyspace) throws -> Int {
        let dbi = try dbi(of: keyspace)
        var statistics = MDB_stat()
        let code = mdb_stat(transaction, dbi, &statistics)
        guard code == MDB_SUCCESS else { throw fail(code, doing: "count entries") }
        return statistics.ms_entries
    }

    final func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        LMDBCursor(in: self, keyspace: keyspace, handle: try openCursor(on: try dbi(of: keyspace)))
    }
}
