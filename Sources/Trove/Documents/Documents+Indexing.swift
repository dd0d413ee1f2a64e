extension Documents {
    /// The values that the collection's index of all paths contains.
    public func indexing() throws -> DocumentIndexing {
        try source.read { try $0.pathIndex(of: name)?.indexing ?? .all }
    }

    /// Whether the index of all paths is ready and leaves nothing out, so that it tells what the documents have.
    package func isFullyIndexed() throws -> Bool {
        try source.read { transaction in
            let model = try transaction.openCollection(named: name)
            return try transaction.usableIndexes(of: model.binding).contains { index in if case .paths(let indexing) = index.schema.kind { indexing == .all } else { false } }
        }
    }
}

extension Documents where Source == ObjectStore {
    /// Sets which values the collection's index contains, and rebuilds the index when that is a change; creates the collection if needed.
    ///
    /// Until it is built, conditions are answered by reading the documents. Other writers wait while a batch is built.
    ///
    /// - Parameter progress: called after each batch with the documents read; when it throws, building stops with its error, and the next opening or ``ObjectStore/buildIndexes(progress:)-swift.method`` goes on.
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

    /// Rebuilds the collection's index from the documents, for instance after ``ObjectStore/verify(progress:)-swift.method`` has found damage. Paths that no document has
    /// any more lose their numbers.
    public func rebuildIndex(progress: (StoreProgress) throws -> Void = { _ in }) throws {
        try source.write { try $0.restartPathIndex(of: name) }
        try source.buildIndexes(progress: progress)
    }

    /// Rebuilds the collection's index from the documents, on the maintenance thread, which runs one task at a time.
    public func rebuildIndex(progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }) async throws {
        let name = name
        try await source.write { try $0.restartPathIndex(of: name) }
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
    fileprivate func restartPathIndex(of collection: String) throws {
        guard let number = try pathIndex(of: collection)?.number else { return }
        try flushIndexes()
        try restartIndexes([number], .asked)
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
