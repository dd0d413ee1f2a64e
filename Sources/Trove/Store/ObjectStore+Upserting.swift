extension ObjectStore {
    /// Stores an object, replaces one with the same id, and returns the outcome; see ``WriteTransaction/upsert(_:)``.
    @inlinable @discardableResult
    public func upsert<Object: Model>(_ object: Object, durability: Durability? = nil) throws -> UpsertOutcome {
        try write(durability) { try $0.upsert(object) }
    }

    /// Stores an object, replaces one with the same id, and returns the outcome; see ``WriteTransaction/upsert(_:)``.
    @inlinable @discardableResult
    public func upsert<Object: Model>(_ object: Object, durability: Durability? = nil) async throws -> UpsertOutcome {
        try await write(durability) { try $0.upsert(object) }
    }

    /// The number of objects of each model, by the models' names: those that the program has and those that other programs have stored.
    ///
    /// ```swift
    /// for (name, count) in try store.counts() { print(name, count) }
    /// ```
    ///
    /// - Complexity: as of counting all objects of each.
    public func counts() throws -> [String: Int] { try read { try $0.counts() } }

    /// The number of objects of each model, by the models' names.
    public func counts() async throws -> [String: Int] { try await read { try $0.counts() } }
}
