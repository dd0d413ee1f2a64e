import CLMDB
import TroveStorage

/// A snapshot, on one of the environment's read transactions.
final class LMDBReader: LMDBTransaction, StorageReader {
    private let slot: ReadSlot
    private var catalogue: Catalogue?

    init(environment: Environment, slot: ReadSlot) {
        self.slot = slot
        super.init(environment: environment, transaction: slot.transaction)
    }

    /// Ends the transaction; the slot goes back to the pool.
    func finish() { state.finish() }

    func keyspace(named name: String) throws -> Keyspace? {
        try state.check()
        let catalogue = try loadedCatalogue()
        var name = name
        guard let position = name.withUTF8({ catalogue.position(of: UnsafeRawBufferPointer($0)) }) else { return nil }
        return Keyspace(number: UInt32(position), transaction: state.serial)
    }

    func keyspaceNames() throws -> [String] {
        try state.check()
        return try loadedCatalogue().names.map { String(decoding: $0, as: UTF8.self) }
    }

    private func loadedCatalogue() throws -> Catalogue {
        if let catalogue { return catalogue }
        let snapshot = mdb_txn_id(transaction)
        if slot.catalogueSnapshot != snapshot || slot.catalogue == nil {
            slot.catalogue = try environment.catalogue(in: transaction, snapshot: snapshot)
            slot.catalogueSnapshot = snapshot
        }
        let catalogue = slot.catalogue.unsafelyUnwrapped  // Set above.
        self.catalogue = catalogue
        dbis = catalogue.dbis
        return catalogue
    }

    override func openCursor(on dbi: MDB_dbi) throws -> CursorHandle {
        var cursor: OpaquePointer?
        let code = slot.takeCursor(on: dbi, &cursor)
        guard code == MDB_SUCCESS, let cursor else { throw fail(code, doing: "open a cursor") }
        return CursorHandle(pointer: cursor, dbi: dbi, level: 0)
    }

    override func closeCursor(_ handle: CursorHandle) {
        // After the end the slot may be another thread's; LMDB then only frees the cursor of a read transaction.
        if state.isActive { slot.giveBack(handle.pointer, on: handle.dbi) } else { mdb_cursor_close(handle.pointer) }
    }
}
