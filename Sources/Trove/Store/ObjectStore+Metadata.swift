/// The application's own values beside the objects. Large ones belong into blobs.
extension ObjectStore {
    /// The application's own value under a key; nil when there is none.
    ///
    /// ```swift
    /// if case .date(let imported)? = try store.metadata(forKey: "last import") { print(imported) }
    /// ```
    ///
    /// - Throws: ``TroveError/corruptMetadata(key:)``.
    public func metadata(forKey key: String) throws -> StoredValue? { try read { try $0.metadata(forKey: key) } }

    /// The application's own value under a key; nil when there is none.
    public func metadata(forKey key: String) async throws -> StoredValue? { try await read { try $0.metadata(forKey: key) } }

    /// All of the application's own values, by their keys.
    ///
    /// - Throws: ``TroveError/corruptMetadata(key:)``.
    public func metadata() throws -> StoreMetadata { try read { try $0.metadata() } }

    /// All of the application's own values, by their keys.
    public func metadata() async throws -> StoreMetadata { try await read { try $0.metadata() } }

    /// Keeps a value of the application's own under a key, in the place of the one there is; nil removes it.
    ///
    /// - Parameter key: 1 to 511 bytes of UTF-8.
    public func setMetadata(_ value: StoredValue?, forKey key: String, durability: Durability? = nil) throws {
        try write(durability) { try $0.setMetadata(value, forKey: key) }
    }

    /// Keeps a value of the application's own under a key, in the place of the one there is; nil removes it.
    public func setMetadata(_ value: StoredValue?, forKey key: String, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.setMetadata(value, forKey: key) }
    }
}
