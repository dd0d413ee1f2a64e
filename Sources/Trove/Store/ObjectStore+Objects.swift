/// Single operations, each a transaction of its own. Several together belong in ``write(_:_:)`` or ``read(_:)``.
extension ObjectStore {
    /// The object with this id; nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)`` when the record is damaged; ``TroveError/decodingFailed(model:field:id:reason:)`` when a
    ///   value does not fit its property; ``TroveError/unknownModel(_:)`` for a model that was not named when the store was opened.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Object? {
        try read { try $0.fetch(type, id: id) }
    }

    /// The objects with these ids, in the order of the ids; an id without an object is left out.
    ///
    /// - Throws: what the fetch of one throws.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] {
        try read { try $0.fetch(type, ids: ids) }
    }

    /// Whether there is an object with this id. Its record is not read.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)`` for a model that was not named when the store was opened.
    @inlinable
    public func contains<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Bool {
        try read { try $0.contains(type, id: id) }
    }

    /// Stores an object and replaces one with the same id.
    ///
    /// - Throws: what ``WriteTransaction/save(_:)-(Object)`` throws; ``StorageError`` when the engine fails. Then nothing is changed.
    @inlinable
    public func save<Object: Model>(_ object: Object, durability: Durability? = nil) throws {
        try write(durability) { try $0.save(object) }
    }

    /// Stores objects in one transaction, all or none, and replaces those with the same ids; the last of several with one id wins.
    ///
    /// - Throws: what the save of one throws; then none is stored.
    @inlinable
    public func save<Object: Model>(_ objects: some Sequence<Object>, durability: Durability? = nil) throws {
        try write(durability) { try $0.save(objects) }
    }

    /// Stores an object that must be new.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)`` when there is one with its id; what ``save(_:durability:)-(Object,_)`` throws. Then nothing changes.
    @inlinable
    public func insert<Object: Model>(_ object: Object, durability: Durability? = nil) throws {
        try write(durability) { try $0.insert(object) }
    }

    /// Stores objects that must be new in one transaction, all or none.
    ///
    /// - Throws: what the insertion of one throws; then none is stored.
    @inlinable
    public func insert<Object: Model>(_ objects: some Sequence<Object>, durability: Durability? = nil) throws {
        try write(durability) { try $0.insert(objects) }
    }

    /// Deletes an object; returns whether it was stored.
    ///
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)`` when a relationship's rule denies it; what a ``CustomDeleteRule`` and a ``StoreDelegate``
    ///   throw; ``TroveError/needsModel(_:reason:)`` when only a program with another model can tell what is deleted too;
    ///   ``TroveError/contextMisuse(reason:)`` for a live object in a context, which deletes it by ``ObjectContext/delete(_:)``; ``StorageError`` when the
    ///   engine fails. Then nothing is changed.
    @inlinable @discardableResult
    public func delete<Object: Model>(_ object: Object, durability: Durability? = nil) throws -> Bool {
        try write(durability) { try $0.delete(object) }
    }

    /// Deletes the object with this id; returns whether it was stored.
    ///
    /// - Throws: what ``delete(_:durability:)`` throws; then nothing is changed.
    @inlinable @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, id: Object.ID, durability: Durability? = nil) throws -> Bool {
        try write(durability) { try $0.delete(type, id: id) }
    }

    /// Deletes the objects with these ids in one transaction; returns how many were stored.
    ///
    /// - Throws: what ``delete(_:durability:)`` throws; then nothing is changed.
    @inlinable @discardableResult
    public func delete<Object: Model>(
        _ type: Object.Type, ids: some Sequence<Object.ID>, durability: Durability? = nil
    ) throws -> Int {
        try write(durability) { try $0.delete(type, ids: ids) }
    }

    /// Deletes all objects of a type; returns how many there were.
    ///
    /// - Throws: what ``delete(_:durability:)`` throws; then nothing is changed.
    @inlinable @discardableResult
    public func deleteAll<Object: Model>(_ type: Object.Type, durability: Durability? = nil) throws -> Int {
        try write(durability) { try $0.deleteAll(type) }
    }
}

/// The asynchronous twins of the single operations, which throw what these throw.
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

extension ObjectStore {
    /// Stores an object, replaces one with the same id, and returns the outcome; see ``WriteTransaction/upsert(_:)``.
    ///
    /// - Throws: what ``save(_:durability:)-(Object,_)`` throws; then nothing is changed.
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
