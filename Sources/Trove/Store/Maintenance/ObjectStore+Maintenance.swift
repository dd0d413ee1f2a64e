extension ObjectStore {
    /// Runs long work on the maintenance thread, after what waits there already.
    package func maintain<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result { try await maintenanceQueue.run(work) }

    /// The number of the newest format of stores that this version reads, and that it writes.
    public static var newestFormat: Int { StoreHeader.currentFormat }

    /// Makes every commit so far durable, whatever its level was.
    ///
    /// - Throws: what ``StorageBackend/synchronize()`` throws.
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
    ///
    /// - Throws: what ``StorageBackend/compact()`` throws; ``TroveError/snapshotsOpen(path:count:)`` while a ``StoreSnapshot`` is open.
    public func compact() throws { try core.compact() }

    /// Returns unused space of the file to the file system. Waits for running transactions.
    public func compact() async throws {
        let core = core
        try await maintenanceQueue.run { try core.compact() }
    }

    /// The sizes and counts of the store at this moment.
    ///
    /// - Throws: ``StorageError/closed(_:)``.
    public func statistics() throws -> StorageStatistics { try core.backend.statistics() }

    /// The sizes and counts of the store at this moment.
    public func statistics() async throws -> StorageStatistics {
        let backend = core.backend
        return try await readPool.run { try backend.statistics() }
    }

    /// Waits for running transactions and closes the store and its engine. Later calls throw ``StorageError/closed(_:)``.
    ///
    /// Asynchronous writes that wait in the queue get that error too: await them before closing. Snapshots of the store end: reads of them that run
    /// are waited for, and later ones throw ``TroveError/snapshotClosed(path:)``.
    ///
    /// - Throws: ``StorageError/closeInsideTransaction(_:)``; ``TroveError/snapshotsOpen(path:count:)`` while another store on the same file has a
    ///   snapshot open, for which the engine would wait: after both the store is open as before, with its snapshots.
    public func close() throws { try core.close() }

    /// Waits for running transactions and closes the store and its engine, also when the task is cancelled. Later calls throw ``StorageError/closed(_:)``.
    public func close() async throws {
        let core = core
        try await readPool.runToEnd { Result { try core.close() } }.get()
    }
}

extension ObjectStore {
    /// The record layouts of all models, also of those that the program does not have.
    public func layouts() throws -> [StoredLayout] { try read { try $0.layouts() } }

    /// The record layouts of all models, also of those that the program does not have.
    public func layouts() async throws -> [StoredLayout] { try await read { try $0.layouts() } }
}

extension StorageStatistics: JSONRepresentable {
    /// The figures as JSON; the engine's own have the engine's names.
    public func jsonValue() throws -> StoredValue {
        var values: [String: StoredValue] = [
            "fileSize": .number(fileSize), "freeSize": .number(freeSize), "keyspaceCount": .number(keyspaceCount), "activeReaders": .number(activeReaders),
            "engineFigures": .object(engineFigures.mapValues { .number($0) }),
        ]
        if let oldestReaderAge { values["oldestReaderAge"] = .duration(oldestReaderAge) }
        return .object(values)
    }
}

extension StorageStatistics: CustomStringConvertible {
    /// The sizes and counts in one line: `4096 bytes, 1024 of them free, 3 keyspaces, 0 readers`.
    public var description: String {
        let age = oldestReaderAge.map { ", the oldest for \($0)" } ?? ""
        let own = engineFigures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return (["\(fileSize) bytes, \(freeSize) of them free, \(keyspaceCount) \(keyspaceCount == 1 ? "keyspace" : "keyspaces"), \(activeReaders) \(activeReaders == 1 ? "reader" : "readers")\(age)"] + own)
            .joined(separator: ", ")
    }
}
