import Trove

/// Live objects are saved and found through ``ActiveRecord/context``.
extension LiveModel {
    /// Saves the object, and all other changes in ``ActiveRecord/context``, all or none.
    ///
    /// A new object comes into the context first, with those it refers to. When the save fails, they leave the context again.
    ///
    /// - Parameter durability: of this save; that of the context, or the store, when nil.
    /// - Throws: ``ActiveRecordError/notConnected``; what ``ObjectContext/save()`` throws.
    public func save(durability: Durability? = nil) throws {
        let context = try ActiveRecord.context
        try context.save(inserting: [self], durability: durability)
    }

    /// Deletes the object, and saves all other changes in ``ActiveRecord/context``; returns whether the object was stored. When that fails, it is as it was.
    ///
    /// An object that is in no context, or in another one, is not deleted, and the answer is false.
    ///
    /// - Throws: what ``save(durability:)`` throws.
    @discardableResult
    public func delete(durability: Durability? = nil) throws -> Bool {
        let context = try ActiveRecord.context
        guard try context.fetch(Self.self, id: id) === self else { return false }
        let wasStored = try isSaved
        try context.save(deleting: [self], durability: durability)
        return wasStored
    }

    /// Deletes the object, and saves all other changes in ``ActiveRecord/context``, without blocking Swift's threads; returns whether the object was stored.
    @discardableResult
    public func delete(durability: Durability? = nil) async throws -> Bool {
        let context = try ActiveRecord.context
        guard try await context.fetch(Self.self, id: id) === self else { return false }
        let wasStored = try await ActiveRecord.store.contains(Self.self, id: id)
        _ = try await context.save(deleting: [self], durability: durability)
        return wasStored
    }

    /// Saves the object, and all other changes in ``ActiveRecord/context``, without blocking Swift's threads.
    public func save(durability: Durability? = nil) async throws {
        let context = try ActiveRecord.context
        _ = try await context.save(inserting: [self], durability: durability)
    }

    /// Inserts the object, which must be new, into ``ActiveRecord/context``, and saves the context.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)`` when there is one with its id; what ``save(durability:)`` throws.
    public func insert(durability: Durability? = nil) throws {
        try checkIsNew()
        try save(durability: durability)
    }

    /// Inserts the object, which must be new, into ``ActiveRecord/context``, and saves the context, without blocking Swift's threads.
    public func insert(durability: Durability? = nil) async throws {
        try checkIsNew()
        try await save(durability: durability)
    }

    /// An object that is in the context and neither new nor deleted is stored.
    private func checkIsNew() throws {
        let context = try ActiveRecord.context
        if modelContext !== context || (context.insertedObjects + context.deletedObjects).contains(where: { $0 === self }) { return }
        throw TroveError.alreadyExists(model: Self.schema.name, id: String(describing: id))
    }

    /// Deletes all objects, and saves all other changes in ``ActiveRecord/context``; returns how many records the save deleted.
    @discardableResult
    public static func deleteAll() throws -> Int {
        let context = try ActiveRecord.context
        let objects = try context.fetch(Self.self).all()
        return try context.save(deleting: objects.map { $0 as any LiveModel }).deletedCount
    }

    /// Deletes all objects, and saves all other changes in ``ActiveRecord/context``, without blocking Swift's threads;
    /// returns how many records the save deleted.
    @discardableResult
    public static func deleteAll() async throws -> Int {
        let context = try ActiveRecord.context
        let objects = try await context.fetch(Self.self).all()
        return try await context.save(deleting: objects.map { $0 as any LiveModel }).deletedCount
    }

    /// Replaces the object's values by the stored ones.
    ///
    /// - Throws: ``ActiveRecordError/notFound(model:id:)`` when it is not stored.
    public func refresh() throws { try refresh(in: ActiveRecord.context) }

    /// Replaces the object's values by the stored ones, without blocking Swift's threads.
    public func refresh() async throws {
        let context = try ActiveRecord.context
        try await context._onReader { try self.refresh(in: context) }
    }

    private func refresh(in context: ObjectContext) throws {
        guard try context.saved.fetch(Self.self).where({ $0.id == id }).exists() else {
            throw ActiveRecordError.notFound(model: Self.schema.name, id: String(describing: id))
        }
        try context.refresh(self, keepingChanges: false)
    }

    /// All objects, ascending by id, with the unsaved changes of ``ActiveRecord/context``.
    public static var all: [Self] {
        get throws { try fetch().all() }
    }

    /// A query for the objects that pass a condition.
    public static func `where`(_ condition: (Fields<Self>) -> some ConditionConvertible) throws -> Fetch<Self, ObjectContext> {
        try fetch().where(condition)
    }

    /// The objects that match criteria text; see ``Fetch/matching(_:_:)``.
    public static func matching(_ criteria: String, _ arguments: Any?...) throws -> Fetch<Self, ObjectContext> {
        try fetch().matching(criteria, arguments: arguments)
    }

    /// A query for objects.
    public static func fetch() throws -> Fetch<Self, ObjectContext> {
        try ActiveRecord.context.fetch(Self.self)
    }
}

extension Sequence where Element: LiveModel {
    /// Saves the objects, and all other changes in ``ActiveRecord/context``, all or none. When that fails, the new ones leave the context again.
    public func save(durability: Durability? = nil) throws {
        try ActiveRecord.context.save(inserting: map { $0 as any LiveModel }, durability: durability)
    }

    /// Saves the objects, and all other changes in ``ActiveRecord/context``, all or none, without blocking Swift's threads.
    public func save(durability: Durability? = nil) async throws {
        _ = try await ActiveRecord.context.save(inserting: map { $0 as any LiveModel }, durability: durability)
    }

    /// Deletes the objects, and saves all other changes in ``ActiveRecord/context``; returns how many records were deleted. When one is in
    /// another context or in none, or when the save fails, none is deleted.
    @discardableResult
    public func delete(durability: Durability? = nil) throws -> Int {
        try ActiveRecord.context.save(deleting: map { $0 as any LiveModel }, durability: durability).deletedCount
    }

    /// Deletes the objects, and saves all other changes in ``ActiveRecord/context``, without blocking Swift's threads; returns how many records were deleted.
    @discardableResult
    public func delete(durability: Durability? = nil) async throws -> Int {
        try await ActiveRecord.context.save(deleting: map { $0 as any LiveModel }, durability: durability).deletedCount
    }
}
