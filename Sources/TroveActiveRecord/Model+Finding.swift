import Trove

extension Model {
    /// Finds objects: `Song.find(id)`, `Song.find(ids)`, `Song.find.by(\.year, 1959)`; with ``ActiveRecord()`` also `Song.find.byYear(1959)`.
    public static var find: Finder<Self> { Finder() }

    /// All objects, ascending by id.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``; what ``Fetch/all()`` throws.
    public static var all: [Self] {
        get throws { try fetch().all() }
    }

    /// A query for the objects that pass a condition.
    ///
    /// ```swift
    /// try Song.where { $0.year > 1990 && $0.title.hasPrefix("So") }.sorted(by: \.year).limit(10).all()
    /// ```
    ///
    /// - Throws: ``ActiveRecordError/notConnected``. Mistakes in the condition are thrown when the fetch runs.
    public static func `where`(_ condition: (Fields<Self>) -> some ConditionConvertible) throws -> Fetch<Self, ObjectStore> {
        try fetch().where(condition)
    }

    /// The objects that match criteria text; see ``Fetch/matching(_:_:)``.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``. Mistakes in the text are thrown when the fetch runs.
    public static func matching(_ criteria: String, _ arguments: Any?...) throws -> Fetch<Self, ObjectStore> {
        try fetch().matching(criteria, arguments: arguments)
    }

    /// A query for objects.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``.
    public static func fetch() throws -> Fetch<Self, ObjectStore> {
        try ActiveRecord.store.fetch(Self.self)
    }

    /// Whether there is an object with this id.
    public static func exists(_ id: ID) throws -> Bool {
        try ActiveRecord.store.contains(Self.self, id: id)
    }

    /// Whether there is an object with this id, without blocking Swift's threads.
    public static func exists(_ id: ID) async throws -> Bool {
        try await ActiveRecord.store.contains(Self.self, id: id)
    }

    /// Deletes all objects; returns how many there were.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``; what ``ObjectStore/deleteAll(_:durability:)`` throws.
    @discardableResult
    public static func deleteAll() throws -> Int {
        try ActiveRecord.store.deleteAll(Self.self)
    }

    /// Deletes all objects, without blocking Swift's threads; returns how many there were.
    @discardableResult
    public static func deleteAll() async throws -> Int {
        try await ActiveRecord.store.deleteAll(Self.self)
    }
}
