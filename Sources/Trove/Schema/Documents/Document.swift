/// A value without a Swift type: names and values of every kind, nested as one likes, under an id.
///
/// ```swift
/// var note: Document = ["title": "Fjord", "author": ["name": "Ane"], "tags": ["sea", "north"], "rating": 7]
/// note["author.name"] = "Ann"
/// try note.insert("cold", at: "tags[0]")
/// try store.documents("notes").save(note)
/// ```
///
/// Documents are kept in collections, which have names and need no declaration; see ``Documents``. Two names that Swift calls equal are one in a document.
public struct Document: Model, EditableByPath, Hashable {
    public var id: ObjectID
    /// The name of the document's type, kept whether the program knows such a type or not.
    public var className: String?
    /// The content of the document: mostly names and values, but any value may stand here.
    public var value: StoredValue
    /// The first change that could not be made; ``_checkBeforeWriting()`` throws it.
    public var _mistake: TroveError?

    /// An empty document under a new id.
    public init() { self.init(.object([:])) }

    /// A document that holds `value`, under a new id unless one is given.
    public init(_ value: StoredValue, id: ObjectID = ObjectID(), className: String? = nil) {
        self.value = value
        self.id = id
        self.className = className
    }

    public static let schema = ModelSchema(
        "\(DocumentField.root)document",
        fields: [
            FieldSchema(DocumentField.className, type: .optional(.string)), FieldSchema(DocumentField.root, type: .codable("Document")),
        ])

    public init(from record: inout RecordDecoder) throws {
        className = try record.decode()
        value = try record.decode()
        id = try record.decodeID()
    }

    public func encode(into record: inout RecordEncoder) throws {
        try record.encode(className)
        try record.encode(value)
    }

    /// The id as text.
    public var _idText: String { "\(id)" }

    /// Throws the first mistake that a subscript was set with.
    public func _checkBeforeWriting() throws {
        if let _mistake { throw _mistake }
    }

    public static func == (left: Document, right: Document) -> Bool {
        left.id == right.id && left.className == right.className && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(value)
    }
}

/// The fields of a document's record, and the names by which conditions reach what is no attribute.
enum DocumentField {
    /// The document's value.
    static let root = "$"
    /// The name of its class.
    static let className = "$class"
    /// Its id.
    static let id = "$id"
}

extension Document {
    /// A document with the encoding of a `Codable` value.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when it cannot be stored.
    public init(encoding value: some Encodable, id: ObjectID = ObjectID(), className: String? = nil) throws {
        do {
            self.init(try StoredValue(encoding: value), id: id, className: className)
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.encodingFailed(model: "a document", field: "a value", reason: reason)
        }
    }

    /// A `Codable` value, decoded from the document.
    ///
    /// - Throws: ``TroveError/decodingFailed(model:field:id:reason:)`` when it does not fit.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        do {
            return try value.decoded(as: type)
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.decodingFailed(model: "a document", field: "a value of type \(type)", id: "\(id)", reason: reason)
        }
    }
}

extension Document: ExpressibleByDictionaryLiteral {
    /// A document of names and values under a new id; when a name is there twice, the last value counts.
    public init(dictionaryLiteral elements: (String, StoredValue)...) {
        self.init(.object(Dictionary(elements, uniquingKeysWith: { _, last in last })))
    }
}

extension Document: CustomStringConvertible {
    /// The class name, the id and the value as JSON, on one line.
    public var description: String { (className.map { "\($0) " } ?? "") + "\(id) \(value.shownAsJSON)" }
}
