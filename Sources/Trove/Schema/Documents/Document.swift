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
public struct Document: Model, Hashable {
    public var id: ObjectID
    /// The name of the document's type, kept whether the program knows such a type or not.
    public var className: String?
    /// The content of the document: mostly names and values, but any value may stand here.
    public var value: StoredValue
    /// The first change that could not be made; ``_checkBeforeWriting()`` throws it.
    private var mistake: TroveError?

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

    /// Throws the first mistake that a subscript was set with.
    public func _checkBeforeWriting() throws {
        if let mistake { throw mistake }
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
    /// The value at a path; nil when the path leads nowhere.
    ///
    /// Setting it makes what is missing on the way; nil removes. A change that cannot be made, since the path goes through a text or past the end of an array, leaves the document as it is, and is
    /// thrown by its next save; ``set(_:to:)`` throws it at once.
    public subscript(path: DocumentPath) -> StoredValue? {
        get { value.value(at: path) }
        set {
            guard let newValue else {
                value.remove(at: path)
                return
            }
            do throws(TroveError) {
                try value.set(path, to: newValue)
            } catch {
                if mistake == nil { mistake = error }
            }
        }
    }

    /// Sets the value at a path.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when the path goes through a value that has nothing inside, or past the end of an array;
    ///   ``TroveError/encodingFailed(model:field:reason:)`` when the value cannot be stored. Nothing is changed then.
    public mutating func set(_ path: DocumentPath, to value: some Storable) throws {
        try self.value.set(path, to: Self.stored(value))
    }

    /// Inserts an element into an array, before the one at the path's position.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when the path does not end with the position of an element or that after the last.
    public mutating func insert(_ element: some Storable, at path: DocumentPath) throws {
        try value.insert(Self.stored(element), at: path)
    }

    /// Inserts an element into an array, before the one at the path's position.
    public mutating func insert(_ element: StoredValue, at path: DocumentPath) throws(TroveError) {
        try value.insert(element, at: path)
    }

    /// Removes the value at a path and returns it; nil when the path leads nowhere.
    @discardableResult
    public mutating func remove(_ path: DocumentPath) -> StoredValue? { value.remove(at: path) }

    /// The value at a path as a Swift type; nil when the path leads nowhere or to nil.
    ///
    /// - Throws: ``TroveError/decodingFailed(model:field:id:reason:)`` when the value is not of this type, nor widens to it.
    public func value<Value: Storable>(at path: DocumentPath, as type: Value.Type = Value.self) throws -> Value? {
        guard let found = value.value(at: path), found != .null else { return nil }
        do {
            return try Value(converting: found.converted(to: Value.fieldType))
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.decodingFailed(model: "a document", field: path.description, id: "\(id)", reason: reason)
        }
    }

    private static func stored(_ value: some Storable) throws -> StoredValue {
        do {
            return try StoredValue(nesting: value)
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.encodingFailed(model: "a document", field: "a value", reason: reason)
        }
    }
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
            throw TroveError.decodingFailed(model: "a document", field: "\(type)", id: "\(id)", reason: reason)
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
    public var description: String { (className.map { "\($0) " } ?? "") + "\(id) \(value)" }
}
