/// The objects of a model by its name, as documents: found, read and stored without the model's Swift type.
///
/// ```swift
/// let songs = store.documents(of: "Song")
/// for song in try songs.fetch("year < 1960 order by title").all() { print(song["title"] ?? .null) }
/// try songs.insert(["title": "So What", "artist": "Miles Davis", "year": 1959])
/// ```
///
/// What is stored is checked against the model's layout. A property that is left out is nil or without elements, where it can be: the default values of a
/// program are not in the store. Indexes, unique rules, inverses, delete rules and properties that are written once hold as they do in the program that has the
/// model. A collection of documents is no model: ``ObjectSource/documents(_:)``.
public struct ModelDocuments<Source: ObjectSource> {
    let source: Source
    /// The name of the model.
    public let name: String
}

extension ModelDocuments: Sendable where Source: Sendable {}

extension ObjectSource {
    /// The objects of the model of this name, as documents.
    ///
    /// Whatever uses it throws ``TroveError/unknownType(_:known:)`` when the store has no such model,
    /// ``TroveError/invalidCollection(name:reason:)`` when the name is that of a collection.
    public func documents(of modelName: String) -> ModelDocuments<Self> { ModelDocuments(source: self, name: modelName) }
}

extension ModelDocuments {
    /// All objects, to be searched and read in one of several ways.
    public func fetch() -> MixedFetch<ModelDocument, Source> { MixedFetch(source, .documents(of: name)) }

    /// The objects of which a condition on their properties is true.
    ///
    /// ```swift
    /// try songs.fetch { $0["year"] < 1960 && $0["tags"].contains("modal") }.all()
    /// ```
    public func fetch(_ condition: (MixedFields<ModelDocument>) -> some ConditionConvertible) -> MixedFetch<ModelDocument, Source> { fetch().where(condition) }

    /// The objects that criteria text asks for; `docs/search.md` has the language.
    public func fetch(_ criteria: String, _ arguments: Any?...) -> MixedFetch<ModelDocument, Source> { fetch().matching(criteria, arguments: arguments) }

    /// The objects that criteria text asks for, in which `:name` stands for an argument.
    public func fetch(_ criteria: String, with arguments: [String: Any?]) -> MixedFetch<ModelDocument, Source> { fetch().matching(criteria, with: arguments) }

    /// The object with this id; nil when there is none.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)`` when the model has no such ids; ``TroveError/corruptRecord(model:id:reason:)``.
    public func fetch(id: StoredValue) throws -> ModelDocument? {
        try source.read { transaction in
            let model = try transaction.describedModel(named: name)
            guard let record = try transaction.storedRecord(under: RecordKey(model.key(of: id)).bytes, model.opened), try record.key == model.key(of: id) else {
                return nil
            }
            return try ModelDocument(record, model.ids)
        }
    }

    /// Whether there is an object with this id. Its record is not read.
    public func contains(id: StoredValue) throws -> Bool {
        try source.read { transaction in
            let model = try transaction.describedModel(named: name)
            return try model.key(of: id).withUnsafeBytes { try transaction.contains($0, of: model.opened) }
        }
    }

    /// The number of objects.
    public func count() throws -> Int { try fetch().count() }
}

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
    public func save(_ document: ModelDocument, durability: Durability? = nil) async throws -> ModelDocument {
        try await write(durability) { try $0.save(document) }
    }

    /// Stores objects in one transaction, all or none.
    public func save(_ documents: [ModelDocument], durability: Durability? = nil) async throws { try await write(durability) { try $0.save(documents) } }

    /// Stores an object that must be new; returns it with the id that was made for it.
    @discardableResult
    public func insert(_ document: ModelDocument, durability: Durability? = nil) async throws -> ModelDocument {
        try await write(durability) { try $0.insert(document) }
    }

    /// Deletes an object; returns whether it was stored.
    @discardableResult
    public func delete(_ document: ModelDocument, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.delete(document) }
    }

    /// Deletes the object with this id; returns whether there was one.
    @discardableResult
    public func delete(id: StoredValue, durability: Durability? = nil) async throws -> Bool { try await write(durability) { try $0.delete(id: id) } }

    /// Deletes the objects with these ids in one transaction, judged together; returns how many there were.
    @discardableResult
    public func delete(ids: [StoredValue], durability: Durability? = nil) async throws -> Int { try await write(durability) { try $0.delete(ids: ids) } }

    /// Deletes all objects; returns how many there were.
    @discardableResult
    public func deleteAll(durability: Durability? = nil) async throws -> Int { try await write(durability) { try $0.deleteAll() } }
}

extension MixedFetch where Object == ModelDocument {
    /// The objects in the order of the values at a path; after the criteria there are already.
    public func sorted(by path: DocumentPath, _ direction: SortDirection = .ascending, ignoringCase: Bool = false) -> MixedFetch {
        sorted(by: path, direction, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// The objects in the order of the texts at a path without their case, accents or both; after the criteria there are already.
    public func sorted(by path: DocumentPath, _ direction: SortDirection = .ascending, ignoring: TextFolding) -> MixedFetch {
        sorted(using: [SortKey(FieldPath(of: path), direction, ignoring: ignoring)])
    }
}

extension MixedFields where Object == ModelDocument {
    /// The value at a path, from a property on.
    public subscript(path: DocumentPath) -> Field<StoredValue> { Field(path: FieldPath(of: path)) }

    /// Whether the object contains words in any text of the model's full-text index; see ``Fields/hasWords(_:ifBlank:)``.
    public func hasWords(_ words: String, ifBlank blank: BlankSearch = .isError) -> Condition {
        Condition(scopes: [], problem: nil) { () throws(TroveError) in try blank.filter(words, nil) }
    }
}

extension ModelSelection<ModelDocument> {
    /// A model by its name, whether the program has it or not.
    fileprivate static func documents(of name: String) -> ModelSelection {
        ModelSelection(name, []) { transaction in
            let model = try transaction.describedModel(named: name)
            return try ModelSelection<StoredRecord>.named([name]).parts(in: transaction).map { part in
                Part(model: part.model) { record, key, transaction in try ModelDocument(part.make(record, key, transaction), model.ids) }
            }
        }
    }
}

extension ModelDocument {
    init(_ record: StoredRecord, _ ids: IDCoding) throws {
        let names = record.presentNames
        let values = try names.map { try record.value(of: $0) }
        self.init(
            modelName: record.modelName, id: try ids.value(of: record.key),
            value: .object(Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })), key: record.key,
            layout: record.shape)
    }
}

/// A model as documents are made of it and checked against it.
struct DescribedModel {
    let opened: OpenModel
    /// What the catalogue says of the layout that new objects have.
    let entry: LayoutEntry
    let ids: IDCoding

    /// Throws when a document is of another model.
    func check(_ document: ModelDocument) throws {
        let name = entry.layout.modelName
        guard document.modelName.isEmpty || document.modelName.hasBytes(of: name) else {
            throw TroveError.invalidProperty(model: name, property: "$model", reason: "is \(document.modelName), another model")
        }
    }

    /// The key of an id.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)``.
    func key(of id: StoredValue) throws -> [UInt8] {
        guard let key = ids.keyBytes(of: id) else {
            throw TroveError.invalidProperty(model: entry.layout.modelName, property: "$id", reason: "takes \(ids.expected), and \(id.shownInErrors) is none")
        }
        return key
    }
}

extension ReadTransaction {
    /// A model by its name, to read its objects and to change them.
    ///
    /// - Throws: ``TroveError/unknownType(_:known:)``; ``TroveError/invalidCollection(name:reason:)``.
    func describedModel(named name: String) throws -> DescribedModel {
        guard !Catalogue.isReserved(name), let model = try openRecords(named: name) else { throw try unknownType(name) }
        if model.binding.isCollection {
            throw TroveError.invalidCollection(name: name, reason: "it is one already, and no model; ask for its documents: store.documents(\"\(name)\")")
        }
        guard let entry = try model.binding.storedEntry ?? Catalogue.entry(model.binding.layout.number, reader) else { throw try unknownType(name) }
        return DescribedModel(opened: model, entry: entry, ids: IDCoding(entry.id))
    }
}
