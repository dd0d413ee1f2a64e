import CLMDB
import TroveBackendKit
import TroveStorage

/// What read and write transactions have in common: looking things up.
class LMDBTransaction {
    final let environment: Environment
    final private(set) var serial: UInt64
    /// Belongs to this object, which only one thread uses at a time.
    final let core: UnsafeMutablePointer<TransactionCore>
    final private(set) var state: TransactionState

    init(environment: Environment, transaction: OpaquePointer) {
        self.environment = environment
        state = TransactionState(
            engine: LMDBErrors.engine, path: environment.errors.path, maxKeySize: StorageLimits.maxKeySize,
            maxValueSize: StorageLimits.maxValueSize)
        serial = state.serial
        core = .allocate(capacity: 1)
        core.initialize(to: TransactionCore(transaction: transaction))
    }

    deinit { core.deallocate() }

    /// Makes this the object of another transaction. Nobody else may have a reference to it.
    final func restart() {
        state = TransactionState(
            engine: LMDBErrors.engine, path: environment.errors.path, maxKeySize: StorageLimits.maxKeySize,
            maxValueSize: StorageLimits.maxValueSize)
        serial = state.serial
        core.pointee = TransactionCore(transaction: core.pointee.transaction)
    }

    // MARK: Cursors of LMDB's, which the subclasses keep in different ways

    /// A cursor on the database, with no position.
    func openCursor(on dbi: MDB_dbi) throws -> CursorHandle {
        var cursor: OpaquePointer?
        let code = mdb_cursor_open(core.pointee.transaction, dbi, &cursor)
        guard code == MDB_SUCCESS, let cursor else { throw fail(code, doing: "open a cursor") }
        return CursorHandle(pointer: cursor, dbi: dbi, level: 0)
    }

    /// Takes a cursor back, while the transaction runs or afterwards.
    func closeCursor(_ handle: CursorHandle) { mdb_cursor_close(handle.pointer) }

    /// Whether what was made in the savepoint with this number was undone.
    func isUndone(_ level: Int) -> Bool { false }

    /// Whether the cursor may be used now: savepoints put the cursors made before them out of use.
    func isUsable(_ handle: CursorHandle) -> Bool { true }

    // MARK: State

    /// Throws unless the transaction runs and no call of it has failed.
    @inline(__always)
    final func check() throws {
        if !core.pointee.isUsable { try state.check() }
    }

    /// The database of the keyspace, after checking that transaction and handle are good.
    @inline(__always)
    final func dbi(of keyspace: Keyspace) throws -> MDB_dbi {
        let number = Int(keyspace.number)
        guard core.pointee.isUsable, keyspace.transaction == serial, number < core.pointee.dbiCount,
            let dbi = core.pointee.dbis?[number], dbi != 0
        else { throw refusal(of: keyspace) }
        return dbi
    }

    private final func refusal(of keyspace: Keyspace) -> any Error {
        do {
            try state.check(keyspace)
            return state.goneKeyspace
        } catch {
            return error
        }
    }

    /// Throws when the key is empty or too long.
    @inline(__always)
    final func checkKey(_ key: RawSpan) throws {
        if key.byteCount == 0 || key.byteCount > StorageLimits.maxKeySize { try state.checkKey(key) }
    }

    /// Throws when the value is too large.
    @inline(__always)
    final func checkValue(_ value: RawSpan) throws {
        if value.byteCount > StorageLimits.maxValueSize { try state.checkValue(value) }
    }

    /// Ends the transaction: every later call throws.
    final func finishState() {
        core.pointee.isUsable = false
        state.finish()
    }

    /// Forgets a failure whose savepoint was undone.
    final func recover() {
        state.recover()
        core.pointee.isUsable = state.isActive
    }

    /// The error for LMDB's code; the transaction can only roll back from now on.
    final func fail(_ code: Int32, doing: String) -> StorageError {
        noteFailure(code)
        core.pointee.isUsable = false
        return state.poison(with: environment.errors.error(code, doing: doing))
    }

    /// Lets the writer look at LMDB's code.
    func noteFailure(_ code: Int32) {}

    // MARK: Reading

    final func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try get(key, in: keyspace, through: nil, body)
    }

    /// - Parameter cursor: one that looks the key up, from where it is.
    @inline(__always)
    final func get(_ key: RawSpan, in keyspace: Keyspace, through cursor: OpaquePointer?, _ body: (RawSpan) throws -> Void) throws -> Bool {
        let dbi = try dbi(of: keyspace)
        try checkKey(key)
        let core = core
        var value = MDB_val()
        let code = key.withUnsafeBytes { bytes in
            var key = MDB_val(bytes)
            if let cursor { return mdb_cursor_get(cursor, &key, &value, MDB_SET) }
            return mdb_get(core.pointee.transaction, dbi, &key, &value)
        }
        if code != MDB_SUCCESS {
            if code == MDB_NOTFOUND { return false }
            throw fail(code, doing: "look up a key")
        }
        core.pointee.lending += 1
        defer { core.pointee.lending -= 1 }
        try body(value.bytes.bytes)
        return true
    }

    final func count(in keyspace: Keyspace) throws -> Int {
        let dbi = try dbi(of: keyspace)
        var statistics = MDB_stat()
        let code = mdb_stat(core.pointee.transaction, dbi, &statistics)
        guard code == MDB_SUCCESS else { throw fail(code, doing: "count entries") }
        return statistics.ms_entries
    }

    final func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        LMDBCursor(in: self, keyspace: keyspace, handle: try openCursor(on: try dbi(of: keyspace)))
    }
}
