/// A collection of documents, by its name: found, read and stored without any declaration.
///
/// ```swift
/// let notes = store.documents("notes")
/// try notes.save(["title": "Fjord", "author": ["name": "Ane"], "tags": ["sea", "north"], "rating": 7])
/// try notes.fetch { $0["author.name"] == "Ane" && $0["rating"] > 5 }.sorted(by: "rating", .descending).limit(10).all()
/// try notes.fetch("author.name = 'Ane' and any tags = 'sea'").all()
/// ```
///
/// The first save makes the collection, and every attribute is searchable from then on: the collection has one index of all paths. One that has not been made has no documents. In a transaction use
/// the transaction's: `transaction.documents("notes")`.
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
        try source.read { try $0.contains(RecordKey(id.keyBytes), of: $0.openCollection(named: name)) }
    }

    /// The number of documents.
    public func count() throws -> Int { try fetch().count() }
}

extension ReadTransaction {
    /// The names of all collections of documents, ascending.
    public func collectionNames() throws -> [String] { try indexTable.allCollections.map(\.schema.name).sorted { $0.precedesInBytes($1) } }
}

extension ObjectStore {
    /// The names of all collections of documents, ascending.
    public func collectionNames() throws -> [String] { try read { try $0.collectionNames() } }
}
