/// A collection of documents, by its name: found, read and stored without any declaration.
///
/// ```swift
/// let notes = store.documents("notes")
/// try notes.save(["title": "Fjord", "author": ["name": "Ane"], "tags": ["sea", "north"], "rating": 7])
/// try notes.fetch { $0["author.name"] == "Ane" && $0["rating"] > 5 }.sorted(by: "rating", .descending).limit(10).all()
/// try notes.fetch("author.name = 'Ane' and any tags = 'sea'").all()
/// ```
///
/// The first save makes the collection, and every attribute is searchable from then on: the collection has one index of all paths. One that has not been made
/// has no documents. In a transaction use the transaction's: `transaction.documents("notes")`.
public struct Documents<Source: ObjectSource> {
    let source: Source
    /// The name of the collection.
    public let name: String
}

extension Documents: Sendable where Source: Sendable {}

extension ObjectSource {
    /// The collection of documents with this name.
    ///
    /// Whatever uses it throws ``TroveError/invalidCollection(name:reason:)`` when no collection can have the name or a model has it.
    public func documents(_ name: String) -> Documents<Self> { Documents(source: self, name: name) }
}

extension Documents {
    /// A query for all documents; from a store or a write transaction it can also change them.
    public func fetch() -> Fetch<Document, Source> { Fetch(source: source, draft: QueryDraft(name)) }

    /// The documents whose attributes pass a condition.
    ///
    /// ```swift
    /// try notes.fetch { $0["author.name"] == "Ann" && $0["tags"].contains("sea") }.all()
    /// ```
    public func fetch(_ condition: (Fields<Document>) -> some ConditionConvertible) -> Fetch<Document, Source> { fetch().where(condition) }

    /// The documents that match criteria text; `docs/search.md` describes the language.
    ///
    /// ```swift
    /// try notes.fetch("author.name = ? and any tags = 'sea' order by rating desc limit 10", "Ann").all()
    /// ```
    public func fetch(_ criteria: String, _ arguments: Any?...) -> Fetch<Document, Source> { fetch().matching(criteria, arguments: arguments) }

    /// The documents that match criteria text, in which `:name` stands for an argument.
    public func fetch(_ criteria: String, with arguments: [String: Any?]) -> Fetch<Document, Source> { fetch().matching(criteria, with: arguments) }

    /// The document with this id; nil when there is none.
    public func fetch(id: ObjectID) throws -> Document? {
        try source.read { try $0.fetch(id, of: $0.openCollection(named: name)) }
    }

    /// The documents with these ids, in the order of the ids; an id without a document is left out.
    public func fetch(ids: some Sequence<ObjectID>) throws -> [Document] {
        let ids = Array(ids)
        return try source.read { try $0.fetch(ids, of: $0.openCollection(named: name)) }
    }

    /// Whether there is a document with this id.
    public func contains(id: ObjectID) throws -> Bool {
        try source.read { transaction in try id.withKeyBytes { try transaction.contains($0, of: transaction.openCollection(named: name)) } }
    }

    /// The number of documents.
    public func count() throws -> Int { try fetch().count() }
}

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

extension ReadTransaction {
    /// The names of all collections of documents, ascending.
    public func collectionNames() throws -> [String] { try indexTable.allCollections.map(\.schema.name).sorted { $0.precedesInBytes($1) } }
}

extension ObjectStore {
    /// The names of all collections of documents, ascending.
    public func collectionNames() throws -> [String] { try read { try $0.collectionNames() } }

    /// The names of all collections of documents, ascending.
    public func collectionNames() async throws -> [String] { try await read { try $0.collectionNames() } }
}

// Sorts and different values by paths. For models too, these would take from a misspelt key path the message that names it.
extension Fetch where Object == Document {
    /// The documents in the order of the values at a path, after the sort criteria so far.
    ///
    /// Ascending, documents without a value there come first; values of several kinds sort in the order that `docs/search.md` tells.
    public func sorted(by path: DocumentPath, _ direction: SortDirection = .ascending, ignoringCase: Bool = false) -> Fetch {
        sorted(by: path, direction, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// The documents in the order of the texts at a path without their case, accents or both, after the sort criteria so far.
    public func sorted(by path: DocumentPath, _ direction: SortDirection = .ascending, ignoring: TextFolding) -> Fetch {
        changing { $0.sort.append(SortKey(Object.path(at: path), direction, ignoring: ignoring)) }
    }

    /// The different values at a path, ascending, with nil first when a document has none.
    public func distinct(_ path: DocumentPath) throws -> [StoredValue] {
        try source.read(of: draft) { try $0.groups(by: [Object.path(at: path)], [], of: Object.self, draft) }.map { $0.keys[0] }
    }
}

extension Fetch where Object == Document, Source == ObjectStore {
    /// The different values at a path, ascending, with nil first when a document has none.
    public func distinct(_ path: DocumentPath) async throws -> [StoredValue] {
        let fetch = self
        return try await source.read { try $0.fetch(as: fetch).distinct(path) }
    }
}
