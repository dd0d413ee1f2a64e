import TroveStorage

extension LMDBBackend {
    public func read(_ body: (any StorageReader) throws -> Void) throws {
        try checkIsOpen()
        try engine.read(timeout: options.writerTimeout, for: self, body)
    }

    /// Runs `body` as one atomic transaction and commits it when it returns.
    ///
    /// When the map is full the body runs again in a larger one; for that no read may run. So in a write inside a
    /// read of the same thread a full map throws ``StorageError/writeInsideRead(_:)``.
    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try checkCanWrite()
        try engine.write(durability, timeout: options.writerTimeout, for: self, body)
    }
}
