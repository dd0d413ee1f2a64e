/// The same, asynchronous.
extension ModelDocuments where Source == ObjectStore {
    private func read<Result: Sendable>(_ body: @escaping @Sendable (ModelDocuments<ReadTransaction>) throws -> Result) async throws -> Result {
        let name = name
        return try await source.read { try body($0.documents(of: name)) }
    }

    private func write<Result: Sendable>(
        _ durability: Durability?, _ body: @escaping @Sendable (ModelDocuments<WriteTransaction>) throws -> Result
    ) async throws -> Result {
        let name = name
        return try await source.write(durability) { try body($0.documents(of: name)) }
    }

    /// The object with this id; nil when there is none.
    public func fetch(id: StoredValue) async throws -> ModelDocument? { try await read { try $0.fetch(id: id) } }

    /// Whether there is an object with this id.
    public func contains(id: StoredValue) async throws -> Bool { try await read { try $0.contains(id: id) } }

    /// The number of objects.
    public func count() async throws -> Int { try await read { try $0.count() } }

    /// Stores an object, replacing the one with the same id; returns it as it was stored.
    @discardableResult
    public func save(_ document: ModelDocument, durability: Durability? = nil) async throws -> ModelDocument { try await write(durability) { try $0.save(document) } }

    /// Stores objects in one transaction, all or none.
    public func save(_ documents: [ModelDocument], durability: Durability? = nil) async throws { try await write(durability) { try $0.save(documents) } }

    /// Stores an object that must be new; returns it with the id that was made for it.
    @discardableResult
    public func insert(_ document: ModelDocument, durability: Durability? = nil) async throws -> ModelDocument { try await write(durability) { try $0.insert(document) } }

    /// Removes an object; returns whether it was there.
    @discardableResult
    public func delete(_ document: ModelDocument, durability: Durability? = nil) async throws -> Bool { try await write(durability) { try $0.delete(document) } }

    /// Removes the object with this id; returns whether there was one.
    @discardableResult
    public func delete(id: StoredValue, durability: Durability? = nil) async throws -> Bool { try await write(durability) { try $0.delete(id: id) } }

    /// Removes the objects with these ids in one transaction, judged together; returns how many there were.
    @discardableResult
    public func delete(ids: [StoredValue], durability: Durability? = nil) async throws -> Int { try await write(durability) { try $0.delete(ids: ids) } }

    /// Removes all objects; returns how many there were.
    @discardableResult
    public func deleteAll(durability: Durability? = nil) async throws -> Int { try await write(durability) { try $0.deleteAll() } }
}
