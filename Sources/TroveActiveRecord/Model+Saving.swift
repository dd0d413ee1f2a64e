import Trove

extension Model {
    /// Stores the object and replaces one with the same id.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``; what ``ObjectStore/save(_:durability:)`` throws.
    public func save(durability: Durability? = nil) throws {
        try ActiveRecord.store.save(self, durability: durability)
    }

    /// Stores the object and replaces one with the same id, without blocking Swift's threads.
    public func save(durability: Durability? = nil) async throws {
        try await ActiveRecord.store.save(self, durability: durability)
    }

    /// Stores the object, which must be new.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)`` when there is one with its id; what ``save(durability:)`` throws.
    public func insert(durability: Durability? = nil) throws {
        try ActiveRecord.store.insert(self, durability: durability)
    }

    /// Stores the object, which must be new, without blocking Swift's threads.
    public func insert(durability: Durability? = nil) async throws {
        try await ActiveRecord.store.insert(self, durability: durability)
    }

    /// Deletes the object from the store; returns whether it was stored.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``; what ``ObjectStore/delete(_:durability:)`` throws.
    @discardableResult
    public func delete(durability: Durability? = nil) throws -> Bool {
        try ActiveRecord.store.delete(Self.self, id: id, durability: durability)
    }

    /// Deletes the object from the store, without blocking Swift's threads; returns whether it was stored.
    @discardableResult
    public func delete(durability: Durability? = nil) async throws -> Bool {
        try await ActiveRecord.store.delete(Self.self, id: id, durability: durability)
    }

    /// Whether the store has an object with this id.
    public var isSaved: Bool {
        get throws { try ActiveRecord.store.contains(Self.self, id: id) }
    }

    /// Replaces the object's values by the stored ones.
    ///
    /// - Throws: ``ActiveRecordError/notFound(model:id:)`` when it is not stored; the object stays as it is.
    public mutating func refresh() throws {
        self = try Self.stored(id)
    }

    /// Replaces the object's values by the stored ones, without blocking Swift's threads.
    public mutating func refresh() async throws {
        guard let stored = try await ActiveRecord.store.fetch(Self.self, id: id) else { throw Self.notFound(id) }
        self = stored
    }

    static func stored(_ id: ID) throws -> Self {
        guard let stored = try ActiveRecord.store.fetch(Self.self, id: id) else { throw notFound(id) }
        return stored
    }

    private static func notFound(_ id: ID) -> ActiveRecordError {
        .notFound(model: schema.name, id: String(describing: id))
    }
}

extension Sequence where Element: Model {
    /// Stores the objects in one transaction, all or none.
    public func save(durability: Durability? = nil) throws {
        try ActiveRecord.store.save(self, durability: durability)
    }

    /// Deletes the objects from the store in one transaction; returns how many were stored.
    @discardableResult
    public func delete(durability: Durability? = nil) throws -> Int {
        try ActiveRecord.store.delete(Element.self, ids: map(\.id), durability: durability)
    }

    /// Stores the objects in one transaction, all or none, without blocking Swift's threads.
    public func save(durability: Durability? = nil) async throws where Self: Sendable {
        try await ActiveRecord.store.save(self, durability: durability)
    }

    /// Deletes the objects from the store in one transaction, without blocking Swift's threads; returns how many were stored.
    @discardableResult
    public func delete(durability: Durability? = nil) async throws -> Int {
        try await ActiveRecord.store.delete(Element.self, ids: map(\.id), durability: durability)
    }
}
