import Trove

/// Finds objects of one model in the connected store, with the unsaved changes of ``ActiveRecord/context``.
public struct Finder<Object: Model>: Sendable {
    /// A finder of the model's objects.
    public init() {}

    /// The object with this id; nil when there is none.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``; damage of the record.
    public func callAsFunction(_ id: Object.ID) throws -> Object? {
        try ActiveRecord.context.fetch(Object.self, id: id)
    }

    /// The objects with these ids, in their order; an id without an object is left out.
    public func callAsFunction(_ ids: some Sequence<Object.ID>) throws -> [Object] {
        try ActiveRecord.context.fetch(Object.self, ids: ids)
    }

    /// The objects with a value in a property, ascending by id.
    public func by<Value>(_ property: KeyPath<Object, Value> & Sendable, _ value: Value) throws -> [Object] {
        try fetch(property, value).all()
    }

    /// The first object by id with a value in a property; nil when there is none.
    public func first<Value>(by property: KeyPath<Object, Value> & Sendable, _ value: Value) throws -> Object? {
        try fetch(property, value).first()
    }

    private func fetch<Value>(_ property: KeyPath<Object, Value> & Sendable, _ value: Value) throws -> Fetch<Object, ObjectContext> {
        try ActiveRecord.context.fetch(Object.self).where { $0[dynamicMember: property] == value }
    }
}
