/// A type whose values an ``ObjectStore`` keeps.
///
/// `@Model` writes the conformance of a struct. By hand it is three members:
///
/// ```swift
/// struct Song: Model {
///     var id = ObjectID()
///     var title: String
///     var year: Int
///
///     static let schema = ModelSchema("Song", fields: [
///         FieldSchema("title", \Song.title),
///         FieldSchema("year", \Song.year),
///     ])
///
///     init(from record: inout RecordDecoder) throws {
///         title = try record.decode()
///         year = try record.decode()
///         id = try record.decodeID()
///     }
///
///     func encode(into record: inout RecordEncoder) throws {
///         try record.encode(title)
///         try record.encode(year)
///     }
/// }
/// ```
public protocol Model: Identifiable, Sendable where ID: StorableKey {
    /// The model's name, version and fields.
    static var schema: ModelSchema { get }

    /// Reads the schema's fields in their order, and the id at any place between them.
    init(from record: inout RecordDecoder) throws

    /// Writes the schema's fields in their order.
    func encode(into record: inout RecordEncoder) throws

    /// Whether the objects are live objects, which may be in a context. It has a default.
    static var _isLive: Bool { get }

    /// Creates the object of a record: a new value, or the one object that the context which reads has of a ``LiveModel``'s record. It has a default.
    static func _makeObject(from record: inout RecordDecoder, for reading: (any _ObjectReading)?) throws -> Self

    /// Throws when a transaction of the store must not write the object. It has a default.
    func _checkBeforeWriting() throws

    /// Completes an object that was read from a record of an earlier version of the model.
    ///
    /// It is called on the object as read by field names: fields that the record lacks, or has with
    /// another type, have their default values; `old` has every stored value. It runs each time such a
    /// record is read, until the object is saved or ``ObjectStore/upgrade(_:batchSize:progress:)-swift.method`` has rewritten all.
    ///
    /// ```swift
    /// @Model(version: 2)
    /// struct Person {
    ///     var fullName = ""
    ///     mutating func upgrade(from old: StoredRecord) throws {
    ///         fullName = "\(try old.value(of: "first", as: String.self)) \(try old.value(of: "last", as: String.self))"
    ///     }
    /// }
    /// ```
    mutating func upgrade(from old: StoredRecord) throws

    /// The indexes that the store keeps for the model; by default none.
    static var indexes: [Index<Self>] { get }
}

extension Model {
    /// False.
    @inlinable
    public static var _isLive: Bool { false }

    /// Decodes a new value.
    @inlinable
    public static func _makeObject(from record: inout RecordDecoder, for reading: (any _ObjectReading)?) throws -> Self {
        try newObject(from: &record)
    }

    /// Does nothing.
    @inlinable
    public func _checkBeforeWriting() throws {}

    /// Does nothing: fields are matched by name.
    public mutating func upgrade(from old: StoredRecord) throws {}

    /// None.
    public static var indexes: [Index<Self>] { [] }
}

/// The description of a model that a store needs: its name, version and stored fields in order.
public struct ModelSchema: Sendable, Hashable {
    /// The name under which the model's records are stored.
    public let name: String
    /// The model's version; records of a lower version go through `upgrade(from:)`.
    public let version: Int
    /// The names of the stored fields that form the id, in the order of its parts; empty when the id has its own value.
    ///
    /// Conditions on these fields, and sorts by them, are then answered by the records' keys. `#Unique(…, identity: true)` names them.
    public let identity: [String]
    /// The stored fields in the order in which the model encodes and decodes them. The id is not one of them.
    public let fields: [FieldSchema]

    /// - Parameter identity: The fields that the id is made of. A store refuses to open with a model whose id is not made of just these.
    public init(_ name: String, version: Int = 1, identity: [String] = [], fields: [FieldSchema]) {
        self.name = name
        self.version = version
        self.identity = identity
        self.fields = fields
    }
}
