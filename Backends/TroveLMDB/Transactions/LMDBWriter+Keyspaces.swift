import CLMDB
import TroveStorage

extension LMDBWriter {
    func keyspace(named name: String) throws -> Keyspace? {
        try state.check()
        return number(ofKeyspaceNamed: Array(name.utf8)).map { Keyspace(number: UInt32($0), transaction: state.serial) }
    }

    func keyspaceNames() throws -> [String] {
        try state.check()
        let present = dbis.indices.filter { dbis[$0] != 0 }.map { names[$0] }
        return present.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        try state.check()
        try state.checkName(name)
        let name = Array(name.utf8)
        if let number = number(ofKeyspaceNamed: name) { return Keyspace(number: UInt32(number), transaction: state.serial) }
        let (slot, dbi) = try takeSlot()
        try putCatalogueEntry(name, slot)
        let number = names.count
        names.append(name)
        slots.append(slot)
        dbis.append(dbi)
        tails.append(KeyspaceTail())
        renamed[name] = .some(number)
        return Keyspace(number: UInt32(number), transaction: state.serial)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        let dbi = try dbi(of: keyspace)
        let number = Int(keyspace.number)
        try empty(dbi, number)
        try deleteCatalogueEntry(names[number])
        freeSlots?.append(slots[number])
        dbis[number] = 0
        renamed[names[number]] = .some(nil)
    }

    private func number(ofKeyspaceNamed name: [UInt8]) -> Int? {
        if let change = renamed[name] { return change }
        return name.withUnsafeBytes { base.position(of: $0) }
    }

    // MARK: Slots

    /// An empty slot for a new keyspace: one that is free, or a new one.
    private func takeSlot() throws -> (slot: Int, dbi: MDB_dbi) {
        let known = environment.handles.count
        if freeSlots == nil {
            let used = Set(dbis.indices.filter { dbis[$0] != 0 }.map { slots[$0] })
            // Those dropped in this transaction too: they are empty by now.
            freeSlots = (0..<known + newHandles.count).filter { !used.contains($0) }.reversed()
        }
        if let slot = freeSlots?.popLast() { return (slot, slot < known ? environment.handles[slot] : newHandles[slot - known]) }
        let slot = known + newHandles.count
        guard slot < environment.handles.capacity else {
            throw StorageError.tooManyKeyspaces(
                environment.errors.details(
                    "the store has \(slot) keyspaces, as many as `maxKeyspaces` allows; drop one, or open the store with more"))
        }
        var dbi: MDB_dbi = 0
        generation &+= 1
        let code = environment.handles.opening.withLock { _ in
            mdb_dbi_open(transaction, Catalogue.databaseName(ofSlot: slot), UInt32(MDB_CREATE), &dbi)
        }
        guard code == MDB_SUCCESS else { throw fail(code, doing: "create a keyspace") }
        changes += 1
        newHandles.append(dbi)
        return (slot, dbi)
    }

    private func putCatalogueEntry(_ name: [UInt8], _ slot: Int) throws {
        let code = name.withUnsafeBytes { name in
            withUnsafeBytes(of: UInt32(slot).littleEndian) { slot in
                var (key, value) = (MDB_val(name), MDB_val(slot))
                return mdb_put(transaction, environment.catalogueDBI, &key, &value, 0)
            }
        }
        if code != MDB_SUCCESS { throw fail(code, doing: "create a keyspace") }
        changes += 1
    }

    private func deleteCatalogueEntry(_ name: [UInt8]) throws {
        let code = name.withUnsafeBytes { name in
            var key = MDB_val(name)
            return mdb_del(transaction, environment.catalogueDBI, &key, nil)
        }
        if code != MDB_SUCCESS { throw fail(code, doing: "drop a keyspace") }
        changes += 1
    }
}
