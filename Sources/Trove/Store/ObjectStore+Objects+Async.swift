/// The asynchronous twins of the single operations.
extension ObjectStore {
    /// The object with this id; nil when there is none.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) async throws -> Object? {
        try await read { try $0.fetch(type, id: id) }
    }

    /// The objects with these ids, in the order of the ids; an id without an object is left out.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID> & Sendable) async throws -> [Object] {
        try await read { try $0.fetch(type, ids: ids) }
    }

    /// Whether there is an object with this id.
    @inlinable
    public func contains<Object: Model>(_ type: Object.Type, id: Object.ID) async throws -> Bool {
        try await read { try $0.contains(type, id: id) }
    }

    /// Stores an object and replaces one with the same id.
    @inlinable
    public func save<Object: Model>(_ object: Object, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.save(object) }
    }

    /// Stores objects, all or none, and replaces those with the same ids; the last of several with one id wins.
    @inlinable
    public func save<Object: Model>(_ objects: some Sequence<Object> & Sendable, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.save(objects) }
    }

    /// Stores an object that must be new.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)``.
    @inlinable
    public func insert<Object: Model>(_ object: Object, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.insert(object) }
    }

    /// Stores objects that must be new, all or none.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)``.
    @inlinable
    public func insert<Object: Model>(_ objects: some Sequence<Object> & Sendable, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.insert(objects) }
    }

    /// Deletes an object; returns whether it was stored.
    @inlinable @discardableResult
    public func delete<Object: Model>(_ object: Object, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.delete(object) }
    }

    /// Deletes the object with this id; returns whether it was stored.
    @inlinable @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, id: Object.ID, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.delete(type, id: id) }
    }

    /// Deletes the objects with these ids; returns how many were stored.
    @inlinable @discardableResult
    public func delete<Object: Model>(
        _ type: Object.Type, ids: some Sequence<Object.ID> & Sendable, durability: Durability? = nil
    ) async throws -> Int {
        try await write(durability) { try $0.delete(type, ids: ids) }
    }

    /// Deletes all objects of a type; returns how many there were.
    @inlinable @discardableResult
    public func deleteAll<Object: Model>(_ type: Object.Type, durability: Durability? = nil) async throws -> Int {
        try await write(durability) { try $0.deleteAll(type) }
    }
}
