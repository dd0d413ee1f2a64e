extension Documents {
    /// The values that the collection's index of all paths contains.
    public func indexing() throws -> DocumentIndexing {
        try source.read { try $0.pathIndex(of: name)?.indexing ?? .all }
    }

    /// Whether the index of all paths is ready and leaves nothing out, so that it tells what the documents have.
    package func isFullyIndexed() throws -> Bool {
        try source.read { transaction in
            let model = try transaction.openCollection(named: name)
            return try transaction.usableIndexes(of: model.binding).contains { index in
                if case .paths(let indexing) = index.schema.kind { indexing == .all } else { false }
            }
        }
    }
}

extension Documents where Source == ObjectStore {
    /// The values that the collection's index of all paths contains.
    public func indexing() async throws -> DocumentIndexing { try await source.read { [name] in try $0.documents(name).indexing() } }

    /// Sets which values the collection's index contains, and rebuilds the index when that is a change; creates the collection if needed.
    ///
    /// Until it is built, conditions are answered by reading the documents. Other writers wait while a batch is built.
    ///
    /// - Parameter progress: called after each batch with the documents read; when it throws, building stops with its error, and the next opening or
    ///   ``ObjectStore/buildIndexes(progress:)`` goes on.
    /// - Throws: ``TroveError/invalidCollection(name:reason:)``; ``TroveError/tooManyPaths(collection:path:limit:)``.
    public func setIndexing(_ indexing: DocumentIndexing, progress: (StoreProgress) throws -> Void = { _ in }) throws {
        try source.write { try $0.setIndexing(indexing, of: name) }
        try source.buildIndexes(progress: progress)
    }

    /// Sets which values the collection's index contains, and rebuilds the index when that is a change; creates the collection if needed.
    public func setIndexing(_ indexing: DocumentIndexing, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }) async throws {
        let name = name
        try await source.write { try $0.setIndexing(indexing, of: name) }
        try await source.buildIndexes(progress: progress)
    }

    /// Rebuilds the collection's index of all paths and its full text from the documents, for instance after
    /// ``ObjectStore/verify(progress:)`` has found damage. Paths that no document has any more lose their numbers.
    ///
    /// - Throws: ``TroveError/invalidCollection(name:reason:)``; what ``ObjectStore/buildIndexes(progress:)`` throws.
    public func rebuildIndex(progress: (StoreProgress) throws -> Void = { _ in }) throws {
        try source.write { try $0.restartIndexes(ofCollection: name) }
        try source.buildIndexes(progress: progress)
    }

    /// Rebuilds the collection's index of all paths and its full text, on the maintenance thread, which runs one task at a time.
    public func rebuildIndex(progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }) async throws {
        let name = name
        try await source.write { try $0.restartIndexes(ofCollection: name) }
        try await source.buildIndexes(progress: progress)
    }
}

extension ReadTransaction {
    /// The number and the settings of a collection's index, in whatever state; nil when there is no such collection.
    fileprivate func pathIndex(of collection: String) throws -> (number: Int, indexing: DocumentIndexing)? {
        guard try openCollection(named: collection).keyspace != nil else { return nil }
        for entry in try indexTable.entries where entry.modelName == collection && entry.state != .dropping {
            if case .paths(let indexing) = entry.schema.kind { return (entry.number, indexing) }
        }
        return nil
    }
}

extension WriteTransaction {
    /// Makes the indexes that the collection itself has be built anew; those made at run time stay.
    fileprivate func restartIndexes(ofCollection name: String) throws {
        guard try openCollection(named: name).keyspace != nil else { return }
        try flushIndexes()
        let own = try indexTable.entries.filter { $0.modelName == name && $0.state != .dropping && ($0.schema.kind.isOfPaths || $0.schema.kind.isFullText) }
        try restartIndexes(own.map(\.number), .asked)
    }

    fileprivate func setIndexing(_ indexing: DocumentIndexing, of collection: String) throws {
        guard let present = try pathIndex(of: collection) else { return try createCollection(named: collection, indexing) }
        if present.indexing == indexing { return }
        try flushIndexes()
        try change {
            try IndexDirectory.change(writer) { directory, entries in
                for place in entries.indices where entries[place].number == present.number { entries[place].state = .dropping }
                entries.append(
                    IndexCatalogueEntry(
                        number: try directory.takeNumber(), modelName: collection, version: 1, schema: .paths(indexing), types: IndexSchema.pathTypes,
                        state: .building(after: nil)))
            }
            if let pipeline { try pipeline.reload() } else { forgetIndexes() }
        }
    }
}

/// Indexes of a collection beside that of all paths: of several paths together, or unique ones.
extension Documents where Source == ObjectStore {
    /// Creates and builds an ascending index of the values at some paths; creates the collection if needed.
    ///
    /// ```swift
    /// try notes.createIndex("by author and year", on: "author.name", "year")
    /// try notes.createIndex("codes", on: "code", unique: true)
    /// ```
    ///
    /// As ``ObjectStore/createIndex(_:on:_:unique:progress:)`` for models: when it throws, there is no such index.
    ///
    /// - Parameter isUnique: whether no two documents may have the same values, unless one of them is nil or missing.
    /// - Throws: ``TroveError/invalidCollection(name:reason:)``; what ``ObjectStore/createIndex(_:of:progress:)`` throws.
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

    /// Drops an index that ``createIndex(_:on:unique:progress:)`` created.
    ///
    /// - Throws: ``TroveError/undroppableIndex(model:index:reason:)`` when there is none of this name, or it is that of all paths.
    public func dropIndex(named name: String) throws { try source.dropIndex(named: name, of: self.name) }

    /// Drops an index that ``createIndex(_:on:unique:progress:)`` created.
    public func dropIndex(named name: String) async throws { try await source.dropIndex(named: name, of: self.name) }

    /// The indexes of the collection, with the index of all paths first.
    public func indexes() throws -> [IndexStatistics] { try source.indexes(of: name) }

    /// The indexes of the collection, with the index of all paths first.
    public func indexes() async throws -> [IndexStatistics] { try await source.indexes(of: name) }

    private static func schema(_ name: String, _ paths: [DocumentPath], _ isUnique: Bool) -> IndexSchema {
        IndexSchema(name, kind: .ordered(isUnique: isUnique), parts: paths.map { IndexPart($0.fieldPath(from: nil)) })
    }
}
