extension ObjectStore {
    /// Runs `body` on a snapshot of the store and returns its result.
    ///
    /// - Throws: what `body` throws; ``StorageError/closed(_:)``.
    @inlinable
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        var result: Result?
        try withReadTransaction { result = try body($0) }
        return result.unsafelyUnwrapped  // The transaction either ran the body or threw.
    }

    /// Runs `body` on a snapshot of the store in which damaged records are passed over, as if they were not stored: to save what can be read.
    ///
    /// ```swift
    /// let songs = try store.read(passingOver: { print($0.error) }) { try $0.fetch(Song.self).all() }
    /// ```
    ///
    /// A record is damaged when its bytes do not fit its checksum and key, or no layout of its model. Queries use no indexes here, which have entries of such
    /// records; a count of all records without a condition may have them still.
    ///
    /// - Parameter damaged: is called for each damaged record that is met, once; when it throws, the read ends with its error.
    /// - Throws: what `body` and `damaged` throw; ``StorageError/closed(_:)``.
    public func read<Result>(passingOver damaged: (DamagedRecord) throws -> Void, _ body: (ReadTransaction) throws -> Result) throws -> Result {
        try core.read(passingOver: damaged, body)
    }

    @usableFromInline func withReadTransaction(_ body: (ReadTransaction) throws -> Void) throws {
        try core.withReader(body)
    }

    /// Runs `body` on one snapshot of the store, on a reader thread.
    ///
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before a thread is free.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Result
    ) async throws -> Result {
        let core = core
        return try await readPool.run { try core.read(body) }
    }

    /// Runs `body` as one atomic transaction; when it throws, nothing is stored.
    ///
    /// The body may run more than once, see ``StorageBackend/write(_:_:)``. A write inside a write
    /// on the same thread throws ``StorageError/writeInsideWrite(_:)``: use ``WriteTransaction/savepoint(_:)``.
    ///
    /// - Parameter durability: what the commit survives; that of the store when nil.
    /// - Throws: what `body` throws; what is judged at the end, as ``TroveError/uniqueViolation(model:index:values:id:otherID:)`` and
    ///   ``TroveError/deletionDenied(model:id:blockers:)``; ``StorageError/timedOut(_:)`` when other writers take longer than the engine waits;
    ///   ``StorageError/readOnly(_:)``, ``StorageError/diskFull(_:)``, ``StorageError/closed(_:)`` and other errors of the engine.
    ///   After one of which ``StorageError/leavesOutcomeOpen`` is true the changes may be stored.
    @inlinable @discardableResult
    public func write<Result>(
        _ durability: Durability? = nil, _ body: (WriteTransaction) throws -> Result
    ) throws -> Result {
        var result: Result?
        try withWriteTransaction(durability ?? self.durability) { result = try body($0) }
        return result.unsafelyUnwrapped  // The transaction either ran the body to its end or threw.
    }

    @usableFromInline func withWriteTransaction(_ durability: Durability, _ body: (WriteTransaction) throws -> Void) throws {
        try core.write(durability, body)
    }

    /// Runs `body` as one atomic transaction on the writer thread, and returns after the commit.
    ///
    /// Changes that wait at the same time share one commit of the engine, from which each can be taken back alone, so that
    /// many tasks pay for one sync of the disk. A body that throws takes back only its own changes. In a shared commit
    /// each change is as durable as the most demanding of them asked for. A body may run more than once.
    ///
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before the body begins.
    @discardableResult
    public func write<Result: Sendable>(
        _ durability: Durability? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await writeQueue.run(durability ?? self.durability, body)
    }
}
