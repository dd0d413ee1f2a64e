extension ObjectStore {
    /// Makes everything committed so far durable, whatever level it was committed with.
    public func synchronize() throws { try core.backend.synchronize() }

    /// Makes everything committed so far durable, whatever level it was committed with.
    public func synchronize() async throws {
        let backend = core.backend
        try await readPool.run { try backend.synchronize() }
    }

    /// Writes a consistent copy for the same engine to a new file, while the store is in use.
    ///
    /// - Throws: ``StorageError/destinationExists(_:)``; ``StorageError/unsupported(_:)`` on an engine without files.
    public func backUp(to path: String) throws { try core.backend.backUp(to: path) }

    /// Writes a consistent copy for the same engine to a new file, while the store is in use.
    public func backUp(to path: String) async throws {
        let backend = core.backend
        try await maintenanceQueue.run { try backend.backUp(to: path) }
    }

    /// Gives unused space in the file back to the file system. Waits for running transactions.
    public func compact() throws { try core.backend.compact() }

    /// Gives unused space in the file back to the file system. Waits for running transactions.
    public func compact() async throws {
        let backend = core.backend
        try await maintenanceQueue.run { try backend.compact() }
    }

    /// Sizes and counts of the store as it is now.
    public func statistics() throws -> StorageStatistics { try core.backend.statistics() }

    /// Sizes and counts of the store as it is now.
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
