import Trove

/// Live objects are saved and found through ``ActiveRecord/context``.
extension LiveModel {
    /// Saves the object, and with it everything else that was changed in ``ActiveRecord/context``, all or none.
    ///
    /// A new object comes into the context first, with those it refers to.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``; what ``Trove/ObjectContext/save()-swift.method`` throws.
    public func save() throws {
        let context = try ActiveRecord.context
        try context.insert(self)
        try context.save()
    }

    /// Deletes the object, and saves everything else that was changed in ``ActiveRecord/context``; returns whether it was stored.
    @discardableResult
    public func delete() throws -> Bool {
        let context = try ActiveRecord.context
        guard try context.fetch(Self.self, id: id) === self else { return false }
        try context.delete(self)
        return try context.save().deletedCount > 0
    }

    /// Saves the object, and with it everything else that was changed in ``ActiveRecord/context``, without blocking Swift's threads.
    public func save() async throws {
        let context = try ActiveRecord.context
        try context.insert(self)
        _ = try await context.save()
    }

    /// Takes the object, which must be new, into ``ActiveRecord/context`` and saves that.
    ///
    /// - Throws: ``Trove/TroveError/alreadyExists(model:id:)``.
    public func insert() throws { try save() }

    /// Removes all objects, and saves everything else that was changed in ``ActiveRecord/context``; returns how many there were.
    @discardableResult
    public static func deleteAll() throws -> Int {
        let context = try ActiveRecord.context
        let objects = try context.fetch(Self.self).all()
        try context.delete(objects)
        return try context.save().deletedCount
    }

    /// Takes the stored values in place of the object's own.
    ///
    /// - Throws: ``ActiveRecordError/notFound(model:id:)`` when it is not stored.
    public func refresh() throws {
        let context = try ActiveRecord.context
        guard try context.saved.fetch(Self.self).where({ $0.id == id }).exists() else {
            throw ActiveRecordError.notFound(model: Self.schema.name, id: String(describing: id))
        }
        try context.refresh(self, keepingChanges: false)
    }

    /// All objects, ascending by id, with the unsaved changes of ``ActiveRecord/context``.
    public static var all: [Self] {
        get throws { try fetch().all() }
    }

    /// The objects of which a condition is true, to be sorted, limited and read.
    public static func `where`(_ condition: (Fields<Self>) -> some ConditionConvertible) throws -> Fetch<Self, ObjectContext> {
        try fetch().where(condition)
    }

    /// The objects that criteria text is true of; see ``Trove/Fetch/matching(_:_:)``.
    public static func matching(_ criteria: String, _ arguments: Any?...) throws -> Fetch<Self, ObjectContext> {
        try fetch().matching(criteria, arguments: arguments)
    }

    /// A search for objects, to be narrowed, sorted and read.
    public static func fetch() throws -> Fetch<Self, ObjectContext> {
        try ActiveRecord.context.fetch(Self.self)
    }
}

extension Sequence where Element: LiveModel {
    /// Saves the objects, and with them everything else that was changed in ``ActiveRecord/context``, all or none.
    public func save() throws {
        let context = try ActiveRecord.context
        for object in self { try context.insert(object) }
        try context.save()
    }

    /// Deletes the objects, and saves everything else that was changed in ``ActiveRecord/context``; returns how many records were deleted.
    @discardableResult
    public func delete() throws -> Int {
        let context = try ActiveRecord.context
        for object in self { try context.delete(object) }
        return try context.save().deletedCount
    }
}
