import TroveStorage

extension LMDBBackend {
    /// Makes every commit so far durable, whatever its level was. May be called inside a transaction.
    public func synchronize() throws {
        try checkIsOpen()
        try engine.synchronize(timeout: options.writerTimeout, for: self)
    }

    /// Writes a compacted copy of the last committed state to `destination` while the store is in use.
    ///
    /// Readers and writers go on. Space freed during the copy is reused only after it. The copy is on the disk when this returns.
    public func backUp(to destination: String) throws {
        try checkIsOpen()
        try engine.backUp(to: destination, timeout: options.writerTimeout, for: self)
    }

    /// Rewrites the file without its unused pages and replaces the old one.
    ///
    /// Waits for running transactions and keeps new ones waiting; needs as much free disk as the store has
    /// entries. The new file replaces the old one in one step, so a crash leaves a whole store. Reading goes on afterwards at
    /// the same path, but hard links keep the old contents.
    ///
    /// - Throws: ``StorageError/locked(_:)`` when another process has the store open through Trove.
    ///   Programs that use LMDB directly are not noticed and must not write meanwhile. ``StorageError/inputOutput(_:)`` when the file is not at its path.
    ///   ``StorageError/writeInsideWrite(_:)`` and ``StorageError/writeInsideRead(_:)`` inside a transaction.
    public func compact() throws {
        try checkCanWrite()
        try engine.compact(timeout: options.writerTimeout, for: self)
    }

    /// Checks every page of the current state, also those that ``Options/pageCheck`` left out at opening.
    public func checkStructure() throws {
        try checkIsOpen()
        try engine.sharingGateOfGrowingFile(timeout: options.writerTimeout, for: self) { _ = try $0.checkPages(.everyPage) }
    }

    /// The sizes and counts of the store at this moment. Takes time with the number of keyspaces and of free pages.
    public func statistics() throws -> StorageStatistics {
        try checkIsOpen()
        return try engine.statistics(timeout: options.writerTimeout, for: self)
    }

    public func close() throws {
        if isClosed.load(ordering: .acquiring) { return }
        if engine.process.isInherited { return isClosed.store(true, ordering: .releasing) }
        if engine.isInsideTransaction { throw engine.insideTransaction }
        guard markClosed() else { return }
        var failure: (any Error)?
        // The gates come first: whoever is inside may be opening a store, or replacing the file, and wait for the registry.
        try engine.alone(until: .never, for: "closing the store") {
            try LMDBEngine.registry.release(engine) { failure = engine.closeAlone() }
        }
        if let failure { throw failure }
    }

    /// Lets no more calls in; false when that was done before.
    func markClosed() -> Bool {
        isClosed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    /// Gives up this backend's use of the engine, without waiting for the transactions of other backends. The engine closes with its last user: then
    /// nobody is inside the gates but calls of closed backends, which end when they find that.
    func release() throws {
        try LMDBEngine.registry.release(engine) {
            try engine.alone(until: .never, for: "closing the store") { _ = engine.closeAlone() }
        }
    }

    /// Throws unless the store is open, which it tries again when compaction or a larger map has closed the file and could not open it.
    func checkIsOpen() throws {
        try checkIsNotClosed()
        try engine.openIfLost(timeout: options.writerTimeout)
    }

    /// Throws unless the store is open and can be written.
    func checkCanWrite() throws {
        try checkIsOpen()
        if let writeRefusal { throw writeRefusal }
    }

    /// Throws when the store was closed, or is the parent's. Asked again inside the gates: who was interrupted before them may come after the end.
    func checkIsNotClosed() throws {
        try engine.checkProcess()
        if isClosed.load(ordering: .acquiring) { throw engine.errors.closed }
    }
}
