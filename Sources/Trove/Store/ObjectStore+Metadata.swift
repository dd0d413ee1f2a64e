/// The application's own values beside the objects. Large ones belong into blobs.
extension ObjectStore {
    /// One of the application's own values by its key; nil when there is none.
    ///
    /// ```swift
    /// if case .date(let imported)? = try store.metadata(forKey: "last import") { print(imported) }
    /// ```
    ///
    /// - Throws: ``TroveError/corruptMetadata(key:)``.
    public func metadata(forKey key: String) throws -> StoredValue? { try read { try $0.metadata(forKey: key) } }

    /// One of the application's own values by its key; nil when there is none.
    public func metadata(forKey key: String) async throws -> StoredValue? { try await read { try $0.metadata(forKey: key) } }

    /// All of the application's own values, by key.
    ///
    /// - Throws: ``TroveError/corruptMetadata(key:)``.
    public func metadata() throws -> StoreMetadata { try read { try $0.metadata() } }

    /// All of the application's own values, by key.
    public func metadata() async throws -> StoreMetadata { try await read { try $0.metadata() } }

    /// Stores one of the application's own values under a key and replaces the value there; nil removes it.
    ///
    /// - Parameter key: 1 to 511 bytes of UTF-8.
    /// - Throws: what ``WriteTransaction/setMetadata(_:forKey:)`` throws; then nothing is changed.
    public func setMetadata(_ value: StoredValue?, forKey key: String, durability: Durability? = nil) throws {
        try write(durability) { try $0.setMetadata(value, forKey: key) }
    }

    /// Stores one of the application's own values under a key and replaces the value there; nil removes it.
    public func setMetadata(_ value: StoredValue?, forKey key: String, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.setMetadata(value, forKey: key) }
    }
}
