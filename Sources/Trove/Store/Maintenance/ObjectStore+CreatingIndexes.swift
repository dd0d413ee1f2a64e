/// Indexes beside those that models declare, made and dropped by their names while the store is in use.
///
/// The store keeps them: they survive reopening and changes of the model, every program that opens the store keeps them in step, and queries use them as they
/// use declared ones.
extension ObjectStore {
    /// Creates and builds an ascending index of some properties.
    ///
    /// ```swift
    /// try store.createIndex("songs by mood", on: Song.self, \.mood, \.year)
    /// ```
    ///
    /// It is built in batches of a transaction each, so that others write meanwhile; queries use it when it is ready. When the call throws, there is no such
    /// index. One that is there with the same properties is left as it is.
    ///
    /// - Parameters:
    ///   - name: its name, which no other index of the model has.
    ///   - isUnique: whether no two objects may have the same values, unless one of the values is nil.
    ///   - progress: called after each batch with the records read; when it throws, there will be no index.
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``; ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, which names two objects that
    ///   have the same values; ``TroveError/corruptRecord(model:id:reason:)``; ``TroveError/unknownModel(_:)``.
    public func createIndex<Object: Model>(
        _ name: String, on type: Object.Type, _ properties: (PartialKeyPath<Object> & Sendable)..., unique isUnique: Bool = false,
        progress: (StoreProgress) throws -> Void = { _ in }
    ) throws {
        try createIndex(Index<Object>(properties.map { .ascending($0) }, unique: isUnique, name: name), progress: progress)
    }

    /// Creates and builds an index as a model would declare it: with directions, paths into nested values, covered fields, kept sums, or of parts of texts.
    ///
    /// ```swift
    /// try store.createIndex(Index<Song>([.path("lines[0].price"), .descending(\.year)], name: "by first price"))
    /// ```
    ///
    /// Indexes of words and of derived values are declared by models alone.
    ///
    /// - Throws: what ``createIndex(_:on:_:unique:progress:)`` throws.
    public func createIndex<Object: Model>(_ index: Index<Object>, progress: (StoreProgress) throws -> Void = { _ in }) throws {
        try createIndex(index.checkedSchema(), of: Object.schema.name, progress: progress)
    }

    /// Creates and builds an index by names alone, for a model that the program has or for a collection of documents.
    ///
    /// ```swift
    /// try store.createIndex(IndexSchema("by city", parts: [IndexPart(FieldPath("address.city"))]), of: "Person")
    /// ```
    ///
    /// - Throws: what ``createIndex(_:on:_:unique:progress:)`` throws.
    public func createIndex(_ schema: IndexSchema, of modelName: String, progress: (StoreProgress) throws -> Void = { _ in }) throws {
        var noted: Int?
        defer { if let noted { core.indexCreations.end(noted) } }
        let begun = try write { transaction in
            let begun = try transaction.beginIndex(schema, of: modelName)
            // Inside, so that no builder meets an index that is not noted. An engine may run this more than once.
            if let noted { core.indexCreations.end(noted) }
            core.indexCreations.begin(begun.number)
            noted = begun.number
            return begun
        }
        let watch = ReadWatch()
        do {
            try IndexBuilder(core: core, durability: durability, batches: .besideOthers, only: [begun.number]) { watch.isCancelled }.run(progress)
        } catch {
            // When this fails too, as in a store that was closed meanwhile, the index is built at the next opening, or given up there.
            if begun.isNew {
                do {
                    _ = try write { try $0.giveUpIndex(begun.number) }
                    try removeDroppedIndexes()
                } catch {}
            }
            throw error
        }
        let isThere = try read { try $0.indexTable.entries.contains { $0.modelName == modelName && $0.schema == schema && $0.state != .dropping } }
        guard isThere else {
            if let violation = core.indexCreations.violation(of: begun.number) { throw violation }
            throw TroveError.invalidIndex(model: modelName, index: schema.name, reason: "another program dropped it while it was built; create it again")
        }
    }

    /// Drops an index that was created at run time, and removes its entries.
    ///
    /// - Throws: ``TroveError/undroppableIndex(model:index:reason:)`` when there is none of this name, the model declares it,
    ///   or it is a collection's index of all paths.
    public func dropIndex<Object: Model>(named name: String, of type: Object.Type) throws { try dropIndex(named: name, of: Object.schema.name) }

    /// Drops an index of a model or collection that was created at run time, and removes its entries. The program need not have the model.
    ///
    /// - Throws: ``TroveError/undroppableIndex(model:index:reason:)`` when there is none of this name, the model declares it,
    ///   or it is a collection's index of all paths.
    public func dropIndex(named name: String, of modelName: String) throws {
        try write { try $0.dropIndex(named: name, of: modelName) }
        try removeDroppedIndexes()
    }

    /// Drops all indexes that no model declares, also those of models that the program does not have; returns how many there were.
    @discardableResult
    public func dropUndeclaredIndexes() throws -> Int {
        let count = try write { try $0.dropUndeclaredIndexes() }
        try removeDroppedIndexes()
        return count
    }

    private func removeDroppedIndexes() throws {
        try IndexBuilder(core: core, durability: durability, batches: .besideOthers, only: []) { false }.run { _ in }
    }
}

/// The asynchronous twins run on the thread for maintenance, which does one thing after the other. They throw what the others throw.
extension ObjectStore {
    /// Creates and builds an ascending index of some properties.
    public func createIndex<Object: Model>(
        _ name: String, on type: Object.Type, _ properties: (PartialKeyPath<Object> & Sendable)..., unique isUnique: Bool = false,
        progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws {
        try await createIndex(Index<Object>(properties.map { .ascending($0) }, unique: isUnique, name: name), progress: progress)
    }

    /// Creates and builds an index as a model would declare it.
    public func createIndex<Object: Model>(_ index: Index<Object>, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }) async throws {
        try await createIndex(index.checkedSchema(), of: Object.schema.name, progress: progress)
    }

    /// Creates and builds an index by names alone, for a model that the program has or for a collection of documents.
    public func createIndex(
        _ schema: IndexSchema, of modelName: String, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws {
        try await maintenanceQueue.run { try self.createIndex(schema, of: modelName, progress: progress) }
    }

    /// Drops an index that was created at run time, and removes its entries.
    public func dropIndex<Object: Model>(named name: String, of type: Object.Type) async throws { try await dropIndex(named: name, of: Object.schema.name) }

    /// Drops an index of a model or collection that was created at run time, and removes its entries.
    public func dropIndex(named name: String, of modelName: String) async throws {
        try await maintenanceQueue.run { try self.dropIndex(named: name, of: modelName) }
    }

    /// Drops all indexes that no model declares; returns how many there were.
    @discardableResult
    public func dropUndeclaredIndexes() async throws -> Int {
        try await maintenanceQueue.run { try self.dropUndeclaredIndexes() }
    }
}
