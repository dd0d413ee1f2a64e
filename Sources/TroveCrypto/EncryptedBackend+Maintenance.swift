import TroveStorage

extension EncryptedBackend {
    public func synchronize() throws { try wrapped.synchronize() }

    /// Writes a copy to `destination` as the wrapped engine does: sealed, and opened with the same keys.
    public func backUp(to destination: String) throws { try wrapped.backUp(to: destination) }

    public func compact() throws { try wrapped.compact() }

    /// Checks the wrapped engine, then the record of keys, opens every node and every large value, and checks order, counts, and that there is nothing else.
    public func checkStructure() throws {
        try wrapped.checkStructure()
        try withSnapshot { source in
            _ = try record(of: source)
            try StructureCheck(source).run()
        }
    }

    /// Those of the wrapped engine. `keyspaceCount` is the number of sealed keyspaces; where the engine cannot read inside a write, as it was before it.
    public func statistics() throws -> StorageStatistics {
        var statistics = try wrapped.statistics()
        do {
            statistics.keyspaceCount = try withSnapshot { $0.snapshot.root.catalogue.pointer?.count ?? 0 }
        } catch StorageError.readInsideWrite {
            statistics.keyspaceCount = engine.keyspaceCount
        }
        return statistics
    }

    /// Closes the wrapped backend, and lets keys and opened nodes go.
    public func close() throws {
        try wrapped.close()
        engine.forget()
    }

    /// The state of the store now: 32 bytes to be kept elsewhere, in a keychain or on another machine.
    ///
    /// Given as ``Options/expectedState`` at the next opening, they show whether the store was set back to an earlier copy, which has right
    /// seals all through. Keep the newest state: after each commit that must not be undone, or each time before the store is closed.
    ///
    /// It is the state of the last commit, durable or not: call ``synchronize()`` first, as a power loss that takes a commit away would set the store back
    /// behind the state that was kept.
    ///
    /// ```swift
    /// try backend.synchronize()
    /// try keychain.set(backend.sealedState().bytes, for: "music")
    /// // At the next start:
    /// var options = EncryptedBackend.Options()
    /// // nil when there are not 32 bytes; without an expected state nothing is checked.
    /// guard let state = SealedState(try keychain.bytes(for: "music")) else { throw … }
    /// options.expectedState = state
    /// ```
    ///
    /// - Throws: ``StorageError/closed(_:)``; what reading throws.
    public func sealedState() throws -> SealedState { SealedState(of: try withSnapshot(\.snapshot)) }
}
