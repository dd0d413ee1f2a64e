extension ObjectStore {
    /// The number of the newest format of stores that this version reads, and that it writes.
    public static var newestFormat: Int { StoreHeader.currentFormat }

    /// Makes every commit so far durable, whatever its level was.
    public func synchronize() throws { try core.backend.synchronize() }

    /// Makes every commit so far durable, whatever its level was.
    public func synchronize() async throws {
        let backend = core.backend
        try await readPool.run { try backend.synchronize() }
    }

    /// Writes a consistent copy to a new file of the same engine, while the store is in use.
    ///
    /// - Throws: ``StorageError/destinationExists(_:)``; ``StorageError/unsupported(_:)`` on an engine without files.
    public func backUp(to path: String) throws { try core.backend.backUp(to: path) }

    /// Writes a consistent copy to a new file of the same engine, while the store is in use.
    public func backUp(to path: String) async throws {
        let backend = core.backend
        try await maintenanceQueue.run { try backend.backUp(to: path) }
    }

    /// Returns unused space of the file to the file system. Waits for running transactions.
    public func compact() throws { try core.backend.compact() }

    /// Returns unused space of the file to the file system. Waits for running transactions.
    public func compact() async throws {
        let backend = core.backend
        try await maintenanceQueue.run { try backend.compact() }
    }

    /// The sizes and counts of the store at this moment.
    public func statistics() throws -> StorageStatistics { try core.backend.statistics() }

    /// The sizes and counts of the store at this moment.
    public func statistics() async throws -> StorageStatistics {
        let backend = core.backend
        return try await readPool.run { try backend.statistics() }
    }

    /// Waits for running transactions and closes the store and its engine. Later calls throw ``StorageError/closed(_:)``.
    ///
    /// Asynchronous writes that wait in the queue get that error too: await them before closing.
    public func close() throws {
        core.backgroundIndexing.stop()
        try core.close()
    }

    /// Waits for running transactions and closes the store and its engine. Later calls throw ``StorageError/closed(_:)``.
    public func close() async throws {
        core.backgroundIndexing.stop()
        let core = core
        try await readPool.run { try core.close() }
    }
}
