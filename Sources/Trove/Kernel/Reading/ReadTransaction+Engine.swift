extension ReadTransaction {
    /// Access to the engine's own features inside this transaction, such as SQL.
    ///
    /// ```swift
    /// import TroveSQLite
    ///
    /// try store.write { transaction in                    // both, or neither
    ///     try transaction.save(song)
    ///     let sql = try transaction.engine(SQLiteConnection.self)
    ///     try sql.execute("INSERT INTO visits (page) VALUES (?)", .text("songs"))
    /// }
    /// ```
    ///
    /// A program that uses it is tied to that engine. What is made so is not Trove's: `docs/stores.md` says what takes it along.
    ///
    /// - Throws: ``StorageError/unsupported(_:)`` when the store is on another engine, or encrypted: what went past the cipher would be readable on the disk.
    public func engine<Access: EngineAccess>(_ type: Access.Type) throws -> Access {
        let reader = try reader
        if let access = Access((reader as? SealingReader)?.wrappedReader ?? reader) { return access }
        throw StorageError.unsupported(
            .init(
                engine: core.capabilities.engine, path: core.backend.path,
                message: "\(Access.self) needs a store directly on \(Access.engineName); keep data that is not an object in transaction.keyspace(_:), which every engine has"))
    }
}
