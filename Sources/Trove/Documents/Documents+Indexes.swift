/// Indexes of a collection beside that of all paths: of several paths together, or unique ones.
extension Documents where Source == ObjectStore {
    /// Creates and builds an ascending index of the values at some paths; creates the collection if needed.
    ///
    /// ```swift
    /// try notes.createIndex("by author and year", on: "author.name", "year")
    /// try notes.createIndex("codes", on: "code", unique: true)
    /// ```
    ///
    /// As ``ObjectStore/createIndex(_:on:_:unique:progress:)-swift.method`` for models: when it throws, there is no such index.
    ///
    /// - Parameter isUnique: whether no two documents may have the same values, unless one of them is nil or missing.
    public func createIndex(
        _ name: String, on paths: DocumentPath..., unique isUnique: Bool = false, progress: (StoreProgress) throws -> Void = { _ in }
    ) throws {
        try source.write { _ = try $0.openCollectionForSaving(named: self.name) }
        try source.createIndex(Self.schema(name, paths, isUnique), of: self.name, progress: progress)
    }

    /// Creates and builds an ascending index of the values at some paths; creates the collection if needed.
    public func createIndex(
        _ name: String, on paths: DocumentPath..., unique isUnique: Bool = false, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws {
        let (collection, schema) = (self.name, Self.schema(name, paths, isUnique))
        try await source.write { _ = try $0.openCollectionForSaving(named: collection) }
        try await source.createIndex(schema, of: collection, progress: progress)
    }

    /// Drops an index that ``createIndex(_:on:unique:progress:)-swift.method`` created.
    ///
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)`` when there is none of this name, or it is that of all paths.
    public func dropIndex(named name: String) throws { try source.dropIndex(named: name, of: self.name) }

    /// Drops an index that ``createIndex(_:on:unique:progress:)-swift.method`` created.
    public func dropIndex(named name: String) async throws { try await source.dropIndex(named: name, of: self.name) }

    /// The indexes of the collection, with the index of all paths first.
    public func indexes() throws -> [IndexStatistics] { try source.indexes(of: name) }

    /// The indexes of the collection, with the index of all paths first.
    public func indexes() async throws -> [IndexStatistics] { try await source.indexes(of: name) }

    private static func schema(_ name: String, _ paths: [DocumentPath], _ isUnique: Bool) -> IndexSchema {
        IndexSchema(name, kind: .ordered(isUnique: isUnique), parts: paths.map { IndexPart($0.fieldPath(from: nil)) })
    }
}
