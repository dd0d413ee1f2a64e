import CLMDB
import TroveStorage

/// A write transaction.
final class LMDBWriter: LMDBTransaction, StorageWriter {
    /// The keyspaces when the transaction began.
    let base: Catalogue
    /// By keyspace number, those of `base` first. Numbers are never used again, so a handle on a keyspace that is gone stays invalid.
    var names: [[UInt8]]
    var slots: [Int]
    /// The end of each keyspace, for append mode.
    var tails: [KeyspaceTail]
    /// What has become of names in this transaction: a keyspace number, or nil when dropped.
    var renamed: [[UInt8]: Int?] = [:]
    /// Slots without a keyspace; nil until they are needed.
    var freeSlots: [Int]?
    /// Handles LMDB has opened in this transaction, of slots in order.
    var newHandles: [MDB_dbi] = []

    /// The savepoints that run, outermost first. 0 is the transaction itself.
    var levels = [0]
    var lastLevel = 0
    /// Cursors of outer levels that were given back inside a savepoint, where they cannot be closed.
    var parked: [CursorHandle] = []

    /// The numbers of savepoints that were undone, as ranges: one covers those inside it too.
    private var undone: [ClosedRange<Int>] = []

    /// How many changes a commit would write; fewer again after a rollback.
    var changes = 0
    /// The bytes of keys and values handed in, to size the map by.
    var bytesWritten = 0
    /// Whether the map was too small.
    private(set) var isMapFull = false

    /// Takes over LMDB's transaction, in which the keyspaces are those of `catalogue`.
    init(environment: Environment, transaction: OpaquePointer, catalogue: Catalogue) {
        base = catalogue
        names = base.names
        slots = base.slots
        tails = Array(repeating: KeyspaceTail(), count: base.names.count)
        super.init(environment: environment, transaction: transaction)
        dbis = base.dbis
    }

    override func noteFailure(_ code: Int32) {
        if code == MDB_MAP_FULL { isMapFull = true }
    }

    // MARK: The end

    /// Commits and frees LMDB's transaction, and returns its code.
    func commit(_ durability: Durability) -> Int32 {
        let snapshot = mdb_txn_id(transaction)
        let catalogue = renamed.isEmpty ? base : catalogueAtEnd()
        finish()
        let code: Int32
        if newHandles.isEmpty {
            code = environment.commit(transaction, durability, isChanged: changes > 0)
        } else {
            // Others see the new slots as soon as LMDB has committed; held here, they wait until the handles are known too.
            code = environment.handles.opening.withLock { _ in
                let code = environment.commit(transaction, durability, isChanged: changes > 0)
                if code == MDB_SUCCESS { for dbi in newHandles { environment.handles.append(dbi) } }
                return code
            }
        }
        // An empty commit makes no state, so its number will be another's.
        if code == MDB_SUCCESS, changes > 0 { environment.committed(catalogue, snapshot: snapshot) }
        return code
    }

    /// Undoes everything and frees LMDB's transaction.
    func rollBack() {
        finish()
        environment.handles.opening.withLock { _ in mdb_txn_abort(transaction) }
    }

    private func finish() {
        state.finish()
        for index in tails.indices { tails[index].free() }
    }

    private func catalogueAtEnd() -> Catalogue {
        var numbers = dbis.indices.filter { dbis[$0] != 0 }
        numbers.sort { names[$0].lexicographicallyPrecedes(names[$1]) }
        // A keyspace dropped and created again is there twice, its first number gone.
        return Catalogue(names: numbers.map { names[$0] }, slots: numbers.map { slots[$0] }, dbis: numbers.map { dbis[$0] })
    }

    // MARK: Cursors

    var level: Int { levels[levels.count - 1] }

    override func openCursor(on dbi: MDB_dbi) throws -> CursorHandle {
        var cursor: OpaquePointer?
        let code = mdb_cursor_open(transaction, dbi, &cursor)
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

    /// Whether what was made at this level was undone with its savepoint.
    override func isUndone(_ level: Int) -> Bool { level > 0 && undone.contains { $0.contains(level) } }

    override func isUsable(_ handle: CursorHandle) -> Bool { handle.level == level }
}
