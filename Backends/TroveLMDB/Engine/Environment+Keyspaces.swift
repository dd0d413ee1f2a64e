import CLMDB
import TroveBackendKit
import TroveStorage

extension Environment {
    /// Opens the catalogue, made when the store is new, and the handles of all slots.
    func openDatabases() throws {
        var slots = try withTransaction(MDB_RDONLY) { try slotCount(in: $0) }
        if slots == nil {
            guard access == .writing else {
                throw StorageError.noSuchStore(
                    errors.details("the file is an LMDB file without a store; look for the store elsewhere, or let opening create one"))
            }
            // Another process may be doing the same: LMDB lets one in and the other finds the catalogue made.
            try takingTurn(until: Deadline(timeout)) {
                try withTransaction(0) { transaction in
                    var dbi: MDB_dbi = 0
                    try check(mdb_dbi_open(transaction, Catalogue.databaseName, UInt32(MDB_CREATE), &dbi), "create the catalogue")
                }
            }
            slots = try withTransaction(MDB_RDONLY) { try slotCount(in: $0) }
        }
        try openHandles()
    }

    /// How many slots the state that `transaction` sees has; nil when it has no catalogue.
    func slotCount(in transaction: OpaquePointer) throws -> Int? {
        var statistics = MDB_stat()
        try check(mdb_stat(transaction, Self.mainDBI, &statistics), "count the keyspaces")
        return statistics.ms_entries == 0 ? nil : statistics.ms_entries - 1
    }

    /// Opens the handles of slots that were made since the last look, in a transaction of its own.
    ///
    /// Never needed while a write transaction of this process runs: that has looked when it began, and keeps other processes from making slots.
    func openHandles() throws {
        try handles.opening.withLock { _ in
            var opened: [MDB_dbi] = []
            try withTransaction(MDB_RDONLY) { transaction in
                if catalogueDBI == 0 {
                    var dbi: MDB_dbi = 0
                    try check(mdb_dbi_open(transaction, Catalogue.databaseName, 0, &dbi), "open the catalogue")
                    catalogueDBI = dbi
                }
                let slots = try slotCount(in: transaction) ?? 0
                guard slots <= handles.capacity else {
                    throw StorageError.tooManyKeyspaces(
                        errors.details("the file has \(slots) keyspaces; open the store with a larger `maxKeyspaces`"))
                }
                for slot in handles.count..<max(slots, handles.count) {
                    var dbi: MDB_dbi = 0
                    try check(mdb_dbi_open(transaction, Catalogue.databaseName(ofSlot: slot), 0, &dbi), "open a keyspace")
                    opened.append(dbi)
                }
            }
            for dbi in opened { handles.append(dbi) }
        }
    }

    /// The keyspaces that `transaction` sees, when it is of the state with the number `snapshot`.
    func catalogue(in transaction: OpaquePointer, snapshot: Int) throws -> Catalogue {
        let kept = pool.withLock { ($0.first...max($0.first, $0.last)).contains(snapshot) ? $0.catalogue : nil }
        if let kept { return kept }
        let loaded = try loadCatalogue(in: transaction)
        pool.withLock { pool in
            if snapshot > pool.last { (pool.catalogue, pool.first, pool.last) = (loaded, snapshot, snapshot) }
        }
        return loaded
    }

    /// Tells that this process made the state with the number `snapshot`, whose keyspaces are `catalogue`.
    func committed(_ catalogue: Catalogue, snapshot: Int) {
        pool.withLock { pool in
            if pool.catalogue === catalogue, pool.last == snapshot - 1 {
                pool.last = snapshot
            } else if snapshot > pool.last {
                (pool.catalogue, pool.first, pool.last) = (catalogue, snapshot, snapshot)
            }
        }
    }

    private func loadCatalogue(in transaction: OpaquePointer) throws -> Catalogue {
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(transaction, catalogueDBI, &cursor), "read the catalogue")
        defer { mdb_cursor_close(cursor) }
        var (names, slots, dbis): ([[UInt8]], [Int], [MDB_dbi]) = ([], [], [])
        var (key, value) = (MDB_val(), MDB_val())
        var code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        while code == MDB_SUCCESS {
            guard value.mv_size == 4 else { throw errors.corrupt("an entry of the catalogue has a wrong size") }
            let slot = Int(UInt32(littleEndian: value.bytes.loadUnaligned(as: UInt32.self)))
            guard slot < handles.count else { throw errors.corrupt("the catalogue names keyspace \(slot), which does not exist") }
            names.append([UInt8](key.bytes))
            slots.append(slot)
            dbis.append(handles[slot])
            code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
        }
        guard code == MDB_NOTFOUND else { throw errors.error(code, doing: "read the catalogue") }
        return Catalogue(names: names, slots: slots, dbis: dbis)
    }
}
