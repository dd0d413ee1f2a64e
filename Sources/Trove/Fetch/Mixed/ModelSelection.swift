/// Which models a ``MixedFetch`` is of, how their objects are made, and what the properties are called that they share.
struct ModelSelection<Object>: Sendable {
    /// A model that is read, and what makes an object of one of its records.
    struct Part {
        let model: OpenModel
        let make: (_ record: RawSpan, _ key: RawSpan, ReadTransaction) throws -> Object
    }

    /// The properties with their names. Unchecked: a key path never changes.
    private struct Properties: @unchecked Sendable {
        let names: [AnyKeyPath: String]
    }

    /// What the models are called together, in errors.
    private let name: String
    private let properties: Properties
    private let find: @Sendable (ReadTransaction) throws -> [Part]

    init(_ name: String, _ properties: [(property: AnyKeyPath, name: String)], _ find: @escaping @Sendable (ReadTransaction) throws -> [Part]) {
        self.name = name
        self.properties = Properties(names: Dictionary(properties.map { ($0.property, $0.name) }, uniquingKeysWith: { first, _ in first }))
        self.find = find
    }

    /// The models, each once, in the order of their names.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when the program opened the store with none of them.
    func parts(in transaction: ReadTransaction) throws -> [Part] {
        var known: Set<[UInt8]> = []
        let parts = try find(transaction).map { (name: Array($0.model.binding.schema.name.utf8), part: $0) }
            .filter { known.insert($0.name).inserted }.sorted { $0.name.compare(to: $1.name) < 0 }
        if parts.isEmpty {
            throw TroveError.invalidQuery(reason: "no model that the store was opened with is of '\(name)'; name such models when the store is opened")
        }
        return parts.map(\.part)
    }

    /// The path to a property that the models share.
    func path(_ property: AnyKeyPath) throws(TroveError) -> FieldPath {
        if let name = properties.names[property] { return FieldPath(field: name) }
        // A model that inherits an abstract one has key paths of its own to the same properties.
        if let model = Object.self as? any Model.Type { return try model.path(of: property) }
        throw .unsupportedKeyPath(model: name, keyPath: property.shownInErrors)
    }
}

extension Model {
    fileprivate static func path(of property: AnyKeyPath) throws(TroveError) -> FieldPath { try FieldPath(property, in: schema, id: \Self.id) }
}

extension ModelSelection {
    /// Those of the store's models that pass `includes`.
    static func models(
        _ name: String, _ properties: [(property: AnyKeyPath, name: String)], where includes: @escaping @Sendable (any Model.Type) -> Bool
    ) -> ModelSelection {
        ModelSelection(name, properties) { transaction in
            try transaction.core.models.filter { $0 != Document.self && includes($0) }.map { try part(of: $0, in: transaction) }
        }
    }

    /// A model, of which the objects have to be of the type sought.
    static func part<Found: Model>(of type: Found.Type, in transaction: ReadTransaction) throws -> Part {
        let model = try transaction.open(type)
        return Part(model: model) { record, key, transaction in
            var found: Found?
            try transaction.withDecoder(record, key: key, model) { found = try transaction.object(&$0) }
            guard let object = found as? Object else { throw TroveError.invalidQuery(reason: "\(Found.schema.name.withArticle) is no \(Object.self)") }
            return object
        }
    }
}

extension ModelSelection<StoredRecord> {
    /// Models and collections by their names, whether the program has them or not.
    static func named(_ names: [String]) -> ModelSelection {
        ModelSelection(names.joined(separator: ", "), []) { transaction in
            try names.map { name in
                let model = try transaction.openStored(named: name)
                // Without the model nobody can bring a record into another layout and leave nothing out.
                if model.type == ObjectIdentifier(StoredRecord.self) {
                    return Part(model: model) { record, key, transaction in try transaction.namedRecord(record, key: key) }
                }
                return Part(model: model) { record, key, transaction in
                    var found: StoredRecord?
                    try transaction.withRecordView(record, key: key, model) { found = try transaction.outliving(transaction.storedRecord(of: $0, model)) }
                    guard let found else { throw TroveError.invalidQuery(reason: "the record of a \(name) could not be read") }
                    return found
                }
            }
        }
    }
}
