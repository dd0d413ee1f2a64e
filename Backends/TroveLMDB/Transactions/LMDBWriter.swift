import CLMDB
import TroveStorage

/// A write transaction.
final class LMDBWriter: LMDBTransaction, StorageWriter {
    /// The keyspaces when the transaction began.
    let base: Catalogue
    /// What has become of the keyspaces in this transaction.
    var keyspaces: WriterKeyspaces
    /// The ends of the keyspaces, for append mode.
    let tails = TailTable()

    /// The savepoints that run, outermost first. 0 is the transaction itself.
    // Every step of a cursor looks at it, on the transaction's thread, and savepoints change it between two calls.
    @exclusivity(unchecked) var levels = [0]
    var lastLevel = 0
    /// Cursors of outer levels that were given back inside a savepoint, where they cannot be closed.
    var parked: [CursorHandle] = []
    /// The numbers of savepoints that were undone, as ranges: one covers those inside it too.
    private var undone: [ClosedRange<Int>] = []

    /// Whether the map was too small.
    private(set) var isMapFull = false

    /// Takes over LMDB's transaction, in which the keyspaces are those of `catalogue`.
    init(environment: Environment, transaction: OpaquePointer, catalogue: Catalogue) {
        base = catalogue
        keyspaces = WriterKeyspaces(catalogue)
        super.init(environment: environment, transaction: transaction)
        showKeyspaces()
    }

    deinit { keyspaces.free() }

    /// Lets every call see the keyspaces' handles where they are now.
    func showKeyspaces() {
        core.pointee.dbis = keyspaces.dbis
        core.pointee.dbiCount = keyspaces.count
    }

    override func noteFailure(_ code: Int32) {
        if code == MDB_MAP_FULL { isMapFull = true }
    }

    /// The state that the transaction began with, until it changes something: nobody else commits meanwhile.
    func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        try check()
        // The transaction has the number of the state it will make.
        try environment.withReaders(upTo: core.pointee.changes == 0 ? count : 0, of: mdb_txn_id(core.pointee.transaction) - 1, body)
    }

    // MARK: The end

    /// Commits and frees LMDB's transaction, and returns its code.
    func commit(_ durability: Durability) -> Int32 {
        let transaction = core.pointee.transaction
        let snapshot = mdb_txn_id(transaction)
        let isChanged = core.pointee.changes > 0
        let catalogue = keyspaces.isChanged ? keyspaces.catalogue() : base
        finishState()
        let code: Int32
        if keyspaces.newHandles.isEmpty {
            code = environment.commit(transaction, durability, isChanged: isChanged)
        } else {
            // Others see the new slots as soon as LMDB has committed; held here, they wait until the handles are known too.
            code = environment.handles.opening.withLock { _ in
                let code = environment.commit(transaction, durability, isChanged: isChanged)
                if code == MDB_SUCCESS { for dbi in keyspaces.newHandles { environment.handles.append(dbi) } }
                return code
            }
        }
        // An empty commit makes no state, so its number will be another's.
        if code == MDB_SUCCESS, isChanged { environment.committed(catalogue, snapshot: snapshot) }
        return code
    }

    /// Undoes everything and frees LMDB's transaction.
    func rollBack() {
        finishState()
        environment.handles.opening.withLock { _ in mdb_txn_abort(core.pointee.transaction) }
    }

    // MARK: Cursors

    var level: Int { levels[levels.count - 1] }

    override func openCursor(on dbi: MDB_dbi) throws -> CursorHandle {
        var cursor: OpaquePointer?
        let code = mdb_cursor_open(core.pointee.transaction, dbi, &cursor)
        guard code == MDB_SUCCESS, let cursor else { throw fail(code, doing: "open a cursor") }
        return CursorHandle(pointer: cursor, dbi: dbi, level: level)
    }

    override func closeCursor(_ handle: CursorHandle) {
        // With a transaction and with a savepoint LMDB frees the cursors opened in it.
        guard state.isActive else { return }
        if handle.level == level {
            mdb_cursor_close(handle.pointer)
        } else if levels.contains(handle.level) {
            parked.append(handle)
        }
    }

    /// Tells that the savepoint and all that ran inside it were undone.
    func noteUndone(_ level: Int) {
        undone.removeAll { $0.lowerBound >= level }
        undone.append(level...lastLevel)
    }

    override func isUndone(_ level: Int) -> Bool { level > 0 && undone.contains { $0.contains(level) } }

    override func isUsable(_ handle: CursorHandle) -> Bool { handle.level == level }
}
