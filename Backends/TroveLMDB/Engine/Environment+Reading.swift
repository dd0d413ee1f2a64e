import CLMDB

extension Environment {
    /// Begins a read transaction whose keyspaces all have handles.
    ///
    /// - Throws: ``MapIsOutgrown`` when another process has outgrown the map.
    func beginRead() throws -> LMDBReader {
        while true {
            let known = handles.count  // Before the renewal, so that the renewed transaction knows these handles.
            let reader = try renewedReader()
            var statistics = MDB_stat()
            guard mdb_stat(reader.slot.transaction, Self.mainDBI, &statistics) == MDB_SUCCESS, statistics.ms_entries <= known + 1 else {
                endRead(reader)
                try openHandles()
                continue
            }
            return reader
        }
    }

    /// Ends a read transaction and keeps it for the next one.
    func endRead(_ reader: consuming LMDBReader) {
        reader.finishState()
        mdb_txn_reset(reader.slot.transaction)
        // A body may have kept the reader or a cursor of it; such a one stays ended, and LMDB's part gets another.
        if !isKnownUniquelyReferenced(&reader) { reader = LMDBReader(environment: self, slot: reader.slot) }
        keep(reader)
    }

    /// Each keeps a place in the table of readers, which all processes share; so no more wait for the next read than a part of it.
    private func keep(_ reader: LMDBReader) {
        let isKept = pool.withLock { pool in
            if pool.idle.count >= maxIdleReaders { return false }
            pool.idle.append(reader)
            return true
        }
        if !isKept { reader.slot.close() }
    }

    /// Gives back the places of the readers that wait for the next read.
    func closeIdleReaders() {
        let idle = pool.withLock { pool in
            defer { pool.idle = [] }
            return pool.idle
        }
        for reader in idle { reader.slot.close() }
    }

    private func renewedReader() throws -> LMDBReader {
        if let reader = pool.withLock({ $0.idle.popLast() }) {
            let code = renew(reader.slot.transaction)
            if code == MDB_SUCCESS {
                reader.begin()
                return reader
            }
            keep(reader)
            try check(code, "begin a read")
        }
        var transaction: OpaquePointer?
        var code = try beginReading(&transaction)
        try check(code, "begin a read")
        guard let transaction else { throw errors.error(MDB_BAD_TXN, doing: "begin a read") }
        if !hasWholeState(transaction) {
            mdb_txn_reset(transaction)
            code = renew(transaction)
            if code != MDB_SUCCESS { mdb_txn_abort(transaction) }
            try check(code, "begin a read")
        }
        return LMDBReader(environment: self, slot: ReadSlot(transaction: transaction))
    }
}
