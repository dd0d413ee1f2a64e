extension ObjectStore {
    /// Copies everything in one consistent view of this store into another engine.
    ///
    /// ```swift
    /// let target = try LMDBBackend(path: "music.lmdb")
    /// try store.copy(to: target) { print("\(Int($0.fraction * 100)) %") }
    /// let moved = try ObjectStore(target, models: Song.self)
    /// ```
    ///
    /// Objects of types the program does not know are copied too. The target must be empty, or hold what an
    /// earlier copy left when it broke off; until the copy is complete it does not open as a store.
    ///
    /// - Parameter progress: called after each batch; when it throws, the copy breaks off with its error.
    /// - Throws: ``TroveError/destinationNotEmpty(path:)``; ``StorageError`` of either engine.
    public func copy(to target: any StorageBackend, progress: (StoreProgress) throws -> Void = { _ in }) throws {
        try withoutActuallyEscaping(progress) { progress in
            let copy = StoreCopy(target: target, progress: progress)
            try core.backend.read { try copy.run($0, Catalogue.header($0) ?? core.header) }
        }
    }

    /// Copies everything in one consistent view of this store into another engine, on a reader thread.
    public func copy(
        to target: any StorageBackend, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws {
        let core = core
        try await readPool.run {
            let copy = StoreCopy(target: target, progress: progress)
            try core.backend.read { try copy.run($0, Catalogue.header($0) ?? core.header) }
        }
    }
}
