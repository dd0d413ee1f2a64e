import CLMDB
import TroveStorage

/// A snapshot, on one of the environment's read transactions.
///
/// The environment keeps readers for the next read, where nobody has kept a reference. One thread at a time has a reader; the
/// lock of the environment's pool hands it on.
final class LMDBReader: LMDBTransaction, StorageReader, @unchecked Sendable {
    let slot: ReadSlot
    private var catalogue: Catalogue?

    init(environment: Environment, slot: ReadSlot) {
        self.slot = slot
        super.init(environment: environment, transaction: slot.transaction)
    }

    /// Begins another read, with the transaction renewed.
    func begin() {
        slot.wasRenewed()
        catalogue = nil
        restart()
    }

    /// That of the commit, whose number LMDB keeps for good.
    var stateStamp: StateStamp? { state.isActive ? environment.stamp(ofCommit: UInt64(mdb_txn_id(slot.transaction))) : nil }

    func keyspace(named name: String) throws -> Keyspace? {
        try check()
        let catalogue = try loadedCatalogue()
        var name = name
        guard let position = name.withUTF8({ catalogue.position(of: UnsafeRawBufferPointer($0)) }) else { return nil }
        return Keyspace(number: UInt32(position), transaction: serial)
    }

    func keyspaceNames() throws -> [String] {
        try check()
        return try loadedCatalogue().names.map { String(decoding: $0, as: UTF8.self) }
    }

    func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        try check()
        try environment.withReaders(upTo: count, of: mdb_txn_id(slot.transaction), body)
    }

    private func loadedCatalogue() throws -> Catalogue {
        if let catalogue { return catalogue }
        let catalogue = try slot.catalogue { try environment.catalogue(in: slot.transaction, snapshot: $0) }
        self.catalogue = catalogue
        core.pointee.dbis = UnsafePointer(catalogue.dbis)  // They live as long as the catalogue, which this reader keeps.
        core.pointee.dbiCount = catalogue.count
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
