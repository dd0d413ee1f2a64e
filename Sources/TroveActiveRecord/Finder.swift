import Trove

/// What finds objects of one model in the connected store, with the unsaved changes of ``ActiveRecord/context``.
///
/// `Song.find` is one for any model; ``ActiveRecord()`` writes one with functions for each property. Each of them throws
/// ``ActiveRecordError/notConnected`` without a store, and what reading the objects throws.
public protocol ObjectFinder<Object>: Sendable {
    /// The model of the objects.
    associatedtype Object: Model
}

/// Finds objects of one model by id or by any property.
public struct Finder<Object: Model>: ObjectFinder {
    /// A finder of the model's objects.
    public init() {}
}

extension ObjectFinder {
    /// The object with this id; nil when there is none.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``; what ``ObjectStore/fetch(_:id:)`` throws.
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

/// The asynchronous twins read on the store's reader threads.
extension ObjectFinder {
    /// The object with this id; nil when there is none.
    public func callAsFunction(_ id: Object.ID) async throws -> Object? {
        try await ActiveRecord.context.fetch(Object.self, id: id)
    }

    /// The objects with these ids, in their order; an id without an object is left out.
    public func callAsFunction(_ ids: some Sequence<Object.ID> & Sendable) async throws -> [Object] {
        try await ActiveRecord.context.fetch(Object.self, ids: ids)
    }

    /// The objects with a value in a property, ascending by id.
    public func by<Value>(_ property: KeyPath<Object, Value> & Sendable, _ value: Value) async throws -> [Object] {
        try await fetch(property, value).all()
    }

    /// The first object by id with a value in a property; nil when there is none.
    public func first<Value>(by property: KeyPath<Object, Value> & Sendable, _ value: Value) async throws -> Object? {
        try await fetch(property, value).first()
    }
}
