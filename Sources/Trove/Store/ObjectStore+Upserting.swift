/// Objects that are stored, or found, by their ids or unique values, each call in a transaction of its own.
extension ObjectStore {
    /// Stores an object, replaces the one with its id or unique values, and returns the outcome; see ``WriteTransaction/upsert(_:matching:)-(Object,_)``.
    ///
    /// - Throws: what that throws; then nothing is changed.
    @discardableResult
    public func upsert<Object: Model>(_ object: Object, matching match: UpsertMatch, durability: Durability? = nil) throws -> UpsertOutcome {
        try write(durability) { try $0.upsert(object, matching: match) }
    }

    /// Stores objects in one transaction, all or none, replaces those with their ids or unique values, and returns the outcome of each; see
    /// ``WriteTransaction/upsert(_:matching:)-(Sequence<Object>,_)``.
    ///
    /// - Throws: what that throws; then none is stored.
    @discardableResult
    public func upsert<Object: Model>(
        _ objects: some Sequence<Object>, matching match: UpsertMatch = .id, durability: Durability? = nil
    ) throws -> [UpsertOutcome] {
        try write(durability) { try $0.upsert(objects, matching: match) }
    }

    /// Stores an object, replaces the one with its id or unique values, and returns it as it is stored; see
    /// ``WriteTransaction/upsertAndFetch(_:matching:)``.
    ///
    /// - Throws: what that throws; then nothing is changed.
    public func upsertAndFetch<Object: Model>(_ object: Object, matching match: UpsertMatch = .id, durability: Durability? = nil) throws -> Object {
        try write(durability) { try $0.upsertAndFetch(object, matching: match) }
    }

    /// The stored object that has the id or unique values of the given one, as it is; the given one, now stored, when there is none; see
    /// ``WriteTransaction/fetchOrInsert(_:)-(Object)``.
    ///
    /// - Throws: what that throws; then nothing is changed.
    @discardableResult
    public func fetchOrInsert<Object: Model>(_ object: Object, durability: Durability? = nil) throws -> Object {
        try write(durability) { try $0.fetchOrInsert(object) }
    }

    /// For each of some objects the stored one that has its id or unique values, or itself, now stored, in one transaction, all or none; see
    /// ``WriteTransaction/fetchOrInsert(_:)-(Object)``.
    ///
    /// - Throws: what that throws; then none is stored.
    @discardableResult
    public func fetchOrInsert<Object: Model>(_ objects: some Sequence<Object>, durability: Durability? = nil) throws -> [Object] {
        try write(durability) { try $0.fetchOrInsert(objects) }
    }
}

/// The asynchronous twins, which throw what these throw.
extension ObjectStore {
    /// Stores an object, replaces the one with its id or unique values, and returns the outcome.
    @discardableResult
    public func upsert<Object: Model>(_ object: Object, matching match: UpsertMatch, durability: Durability? = nil) async throws -> UpsertOutcome {
        try await write(durability) { try $0.upsert(object, matching: match) }
    }

    /// Stores objects, all or none, replaces those with their ids or unique values, and returns the outcome of each.
    @discardableResult
    public func upsert<Object: Model>(
        _ objects: some Sequence<Object> & Sendable, matching match: UpsertMatch = .id, durability: Durability? = nil
    ) async throws -> [UpsertOutcome] {
        try await write(durability) { try $0.upsert(objects, matching: match) }
    }

    /// Stores an object, replaces the one with its id or unique values, and returns it as it is stored.
    public func upsertAndFetch<Object: Model>(_ object: Object, matching match: UpsertMatch = .id, durability: Durability? = nil) async throws -> Object {
        try await write(durability) { try $0.upsertAndFetch(object, matching: match) }
    }

    /// The stored object that has the id or unique values of the given one, as it is; the given one, now stored, when there is none.
    @discardableResult
    public func fetchOrInsert<Object: Model>(_ object: Object, durability: Durability? = nil) async throws -> Object {
        try await write(durability) { try $0.fetchOrInsert(object) }
    }

    /// For each of some objects the stored one that has its id or unique values, or itself, now stored, all or none.
    @discardableResult
    public func fetchOrInsert<Object: Model>(_ objects: some Sequence<Object> & Sendable, durability: Durability? = nil) async throws -> [Object] {
        try await write(durability) { try $0.fetchOrInsert(objects) }
    }
}
