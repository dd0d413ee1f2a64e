/// The same, asynchronous.
extension Documents where Source == ObjectStore {
    private func read<Result: Sendable>(_ body: @escaping @Sendable (Documents<ReadTransaction>) throws -> Result) async throws -> Result {
        let name = name
        return try await source.read { try body($0.documents(name)) }
    }

    private func write<Result: Sendable>(
        _ durability: Durability?, _ body: @escaping @Sendable (Documents<WriteTransaction>) throws -> Result
    ) async throws -> Result {
        let name = name
        return try await source.write(durability) { try body($0.documents(name)) }
    }

    /// The document with this id; nil when there is none.
    public func fetch(id: ObjectID) async throws -> Document? { try await read { try $0.fetch(id: id) } }

    /// The documents with these ids, in the order of the ids; an id without a document is left out.
    public func fetch(ids: [ObjectID]) async throws -> [Document] { try await read { try $0.fetch(ids: ids) } }

    /// Whether there is a document with this id.
    public func contains(id: ObjectID) async throws -> Bool { try await read { try $0.contains(id: id) } }

    /// The number of documents.
    public func count() async throws -> Int { try await read { try $0.count() } }

    /// Stores a document and replaces one with the same id; the first save creates the collection.
    public func save(_ document: Document, durability: Durability? = nil) async throws { try await write(durability) { try $0.save(document) } }

    /// Stores documents in one transaction, all or none.
    public func save(_ documents: [Document], durability: Durability? = nil) async throws { try await write(durability) { try $0.save(documents) } }

    /// Stores a document that must be new.
    public func insert(_ document: Document, durability: Durability? = nil) async throws { try await write(durability) { try $0.insert(document) } }

    /// Stores documents that must be new, in one transaction, all or none.
    public func insert(_ documents: [Document], durability: Durability? = nil) async throws { try await write(durability) { try $0.insert(documents) } }

    /// Deletes a document; returns whether it was stored.
    @discardableResult
    public func delete(_ document: Document, durability: Durability? = nil) async throws -> Bool { try await delete(id: document.id, durability: durability) }

    /// Deletes the documents with these ids in one transaction; returns how many were stored.
    @discardableResult
    public func delete(ids: [ObjectID], durability: Durability? = nil) async throws -> Int { try await write(durability) { try $0.delete(ids: ids) } }

    /// Deletes the document with this id; returns whether it was stored.
    @discardableResult
    public func delete(id: ObjectID, durability: Durability? = nil) async throws -> Bool { try await write(durability) { try $0.delete(id: id) } }

    /// Deletes all documents; returns how many there were.
    @discardableResult
    public func deleteAll(durability: Durability? = nil) async throws -> Int { try await write(durability) { try $0.deleteAll() } }
}
