import CLMDB
import TroveStorage

extension LMDBWriter {
    func keyspace(named name: String) throws -> Keyspace? {
        try check()
        return keyspaces.number(of: Array(name.utf8)).map { Keyspace(number: UInt32($0), transaction: serial) }
    }

    func keyspaceNames() throws -> [String] {
        try check()
        return keyspaces.present.map { String(decoding: keyspaces.name($0), as: UTF8.self) }
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        try check()
        try state.checkName(name)
        let name = Array(name.utf8)
        if let number = keyspaces.number(of: name) { return Keyspace(number: UInt32(number), transaction: serial) }
        let (slot, dbi) = try takeSlot()
        try putCatalogueEntry(name, slot)
        let number = keyspaces.create(name, slot: slot, dbi: dbi)
        showKeyspaces()
        return Keyspace(number: UInt32(number), transaction: serial)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        let dbi = try dbi(of: keyspace)
        let number = Int(keyspace.number)
        try empty(dbi, number)
        try deleteCatalogueEntry(keyspaces.name(number))
        keyspaces.drop(number)
        showKeyspaces()
    }

    // MARK: Slots

    /// An empty slot for a new keyspace: one that is free, or a new one.
    private func takeSlot() throws -> (slot: Int, dbi: MDB_dbi) {
        let known = environment.handles.count
        if keyspaces.freeSlots == nil {
            let used = Set(keyspaces.present.map { keyspaces.slot($0) })
            // Those dropped in this transaction too: they are empty by now.
            keyspaces.freeSlots = (0..<known + keyspaces.newHandles.count).filter { !used.contains($0) }.reversed()
        }
        if let slot = keyspaces.freeSlots?.popLast() {
            return (slot, slot < known ? environment.handles[slot] : keyspaces.newHandles[slot - known])
        }
        let slot = known + keyspaces.newHandles.count
        guard slot < environment.handles.capacity else {
            throw StorageError.tooManyKeyspaces(
                environment.errors.details(
                    "the store has \(slot) keyspaces, as many as `maxKeyspaces` allows; drop one, or open the store with more"))
        }
        var dbi: MDB_dbi = 0
        core.pointee.generation &+= 1
        let code = environment.handles.opening.withLock { _ in
            mdb_dbi_open(core.pointee.transaction, Catalogue.databaseName(ofSlot: slot), UInt32(MDB_CREATE), &dbi)
        }
        guard code == MDB_SUCCESS else { throw fail(code, doing: "create a keyspace") }
        core.pointee.changes += 1
        keyspaces.newHandles.append(dbi)
        return (slot, dbi)
    }

    private func putCatalogueEntry(_ name: [UInt8], _ slot: Int) throws {
        // In a large transaction any change may write pages out of memory that a cursor has an entry in.
        core.pointee.generation &+= 1
        let code = name.withUnsafeBytes { name in
            withUnsafeBytes(of: UInt32(slot).littleEndian) { slot in
                var (key, value) = (MDB_val(name), MDB_val(slot))
                return mdb_put(core.pointee.transaction, environment.catalogueDBI, &key, &value, 0)
            }
        }
        if code != MDB_SUCCESS { throw fail(code, doing: "create a keyspace") }
        core.pointee.changes += 1
    }

    private func deleteCatalogueEntry(_ name: [UInt8]) throws {
        let code = name.withUnsafeBytes { name in
            var key = MDB_val(name)
            return mdb_del(core.pointee.transaction, environment.catalogueDBI, &key, nil)
        }
        if code != MDB_SUCCESS { throw fail(code, doing: "drop a keyspace") }
        core.pointee.changes += 1
    }
}
