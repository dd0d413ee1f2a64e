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
public protocol Model: Identifiable, Sendable, _ModelHolding where ID: StorableKey {
    /// The model's name, version and fields.
    static var schema: ModelSchema { get }

    /// Reads the schema's fields in their order, and the id at any place between them.
    init(from record: inout RecordDecoder) throws

    /// Writes the schema's fields in their order.
    func encode(into record: inout RecordEncoder) throws

    /// Whether the objects are live objects, which may be in a context. It has a default.
    static var _isLive: Bool { get }

    /// Creates the object of a record: a new value, or the one object that the context which reads has of a ``LiveModel``'s record. It has a default.
    static func _makeObject(from record: inout RecordDecoder, for reading: Unmanaged<_ObjectReading>?) throws -> Self

    /// Throws when a transaction of the store must not write the object. It has a default.
    func _checkBeforeWriting() throws

    /// Throws when a transaction of the store must not delete the object. It has a default.
    func _checkBeforeDeleting() throws

    /// The objects that this one holds in memory, of which its record has references. It has a default.
    func _heldObjects() -> [any Model]

    /// Completes an object that was read from a record of an earlier version of the model.
    ///
    /// It is called on the object as read by field names: fields that the record lacks, or has with
    /// another type, have their default values; `old` has every stored value. It runs each time such a
    /// record is read, until the object is saved or ``ObjectStore/upgrade(_:batchSize:progress:)`` has rewritten all. So it must make the same
    /// values each time, as default values of added properties must: indexes have entries of them.
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
    public static func _makeObject(from record: inout RecordDecoder, for reading: Unmanaged<_ObjectReading>?) throws -> Self {
        try newObject(from: &record)
    }

    /// Does nothing.
    @inlinable
    public func _checkBeforeWriting() throws {}

    /// Does nothing.
    @inlinable
    public func _checkBeforeDeleting() throws {}

    /// None.
    @inlinable
    public func _heldObjects() -> [any Model] { [] }

    /// Does nothing: fields are matched by name.
    public mutating func upgrade(from old: StoredRecord) throws {}

    /// None.
    public static var indexes: [Index<Self>] { [] }
}

extension Model {
    /// A new object of a checked record, which no context knows.
    @inlinable
    static func newObject(from record: inout RecordDecoder) throws -> Self {
        let object = try Self(from: &record)
        return record.isOutdated ? try upgraded(object, &record) : object
    }

    /// The object of a record of an earlier version, completed by ``upgrade(from:)``.
    ///
    /// - Throws: ``TroveError/upgradeFailed(model:id:underlying:)``.
    @usableFromInline static func upgraded(_ object: Self, _ record: inout RecordDecoder) throws -> Self {
        let layout = record.layout
        let old = StoredRecord(key: try record.wholeKey(), layout: layout, values: try record.storedValues(layout), annexes: record.annexSource)
        var object = object
        do {
            try object.upgrade(from: old)
            guard object.id.keyBytes == old.key else { throw ChangedIdentity() }
        } catch {
            throw TroveError.upgradeFailed(model: layout.modelName, id: object.id.shownInErrors, underlying: error)
        }
        return object
    }
}

/// A read that has its own objects for records, as a context's read does.
public class _ObjectReading {
    init() {}
}

/// An upgrade must leave an object under its key: the old record would stay beside the new one.
struct ChangedIdentity: Error, CustomStringConvertible {
    var description: String { "it changed the id; save the object under its new id and delete the old one in a transaction" }
}

/// Models that are fetched together because they conform to one protocol. ``AbstractModel()`` makes one for a protocol: `NamedModels` for `Named`.
///
/// ```swift
/// for named in try store.fetchConforming(to: NamedModels.self).sorted(by: \.name).all() { print(named.name) }
/// ```
///
/// Of the models that a store was opened with, those that conform to the protocol are fetched.
public protocol ModelGroup: SendableMetatype {
    /// The type of the results: any object that conforms to the protocol.
    associatedtype Object

    /// The properties of the protocol, and the names under which models store them.
    static var _properties: [(property: PartialKeyPath<Object>, name: String)] { get }

    /// Whether a model belongs to the group.
    static func _includes(_ model: any Model.Type) -> Bool
}

/// A class whose stored properties are known to the models that inherit it.
public protocol _InheritableClass: AnyObject {
    /// The most derived such class among the type and its superclasses.
    static var _$abstractClass: AnyClass { get }
}

/// The description of a model that a store needs: its name, version and stored fields in order.
public struct ModelSchema: Sendable {
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
    /// The computed property that is the id, by which queries in Swift name it; nil when the id is a stored one, which its key path tells.
    let idProperty: (AnyKeyPath & Sendable)?

    /// - Parameter identity: The fields that the id is made of. A store refuses to open with a model whose id is not made of just these.
    public init(_ name: String, version: Int = 1, identity: [String] = [], fields: [FieldSchema]) {
        self.init(name, version, identity, idProperty: nil, fields)
    }

    /// - Parameters:
    ///   - identity: The fields that the id is made of. A store refuses to open with a model whose id is not made of just these.
    ///   - id: The property `id` when it is a computed one: queries know it by this key path.
    public init<Root, ID: StorableKey>(
        _ name: String, version: Int = 1, identity: [String] = [], id: KeyPath<Root, ID> & Sendable, fields: [FieldSchema]
    ) {
        self.init(name, version, identity, idProperty: id, fields)
    }

    private init(_ name: String, _ version: Int, _ identity: [String], idProperty: (AnyKeyPath & Sendable)?, _ fields: [FieldSchema]) {
        self.name = name
        self.version = version
        self.identity = identity
        self.idProperty = idProperty
        self.fields = fields
    }
}

extension ModelSchema: Hashable {
    public static func == (left: ModelSchema, right: ModelSchema) -> Bool {
        left.name == right.name && left.version == right.version && left.identity == right.identity && left.fields == right.fields
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(version)
        hasher.combine(identity)
        hasher.combine(fields)
    }
}

extension ModelSchema {
    /// - Throws: ``TroveError/invalidEncryption(model:property:reason:)`` when a property is encrypted that cannot be.
    func checkEncryption() throws {
        for field in fields where field.isEncrypted {
            func refusal(_ reason: String) -> TroveError { .invalidEncryption(model: name, property: field.name, reason: reason) }
            if field.type.isLazy {
                throw refusal(
                    "its value is kept apart from the object, where it would be in the clear; leave out .lazy, or store it as a blob that you encrypt")
            }
            if field.relationship != nil {
                throw refusal("what objects point at is in the index of references; encrypt the properties of the object it points at")
            }
        }
        for field in fields where field.options.contains(.revealing) && !field.isEncrypted {
            throw TroveError.invalidEncryption(
                model: name, property: field.name, reason: "'.revealing' is said of a property that is not encrypted; add .encrypted, or leave it out")
        }
    }
}

extension ModelSchema {
    /// - Throws: ``TroveError/invalidModel(model:reason:)`` when two properties would read the value of one name in old records.
    ///   The macros see those of one type alone.
    func checkOriginalNames() throws {
        var owners = Dictionary(fields.map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
        for field in fields {
            guard let originalName = field.originalName, originalName != field.name else { continue }
            if let owner = owners.updateValue(field.name, forKey: originalName) {
                throw TroveError.invalidModel(
                    model: name,
                    reason: "'\(originalName)' cannot be the original name of '\(field.name)': '\(owner)' reads that value; give one of the two another name")
            }
        }
    }
}

extension ModelSchema {
    /// - Throws: ``TroveError/schemaMismatch(model:reason:)`` when a property is to have the date of a save and cannot.
    func checkSavedDates() throws {
        for (option, name) in [(FieldOptions.creationDate, ".creationDate"), (.modificationDate, ".modificationDate")] {
            let dated = fields.filter { $0.options.contains(option) }
            func refusal(_ reason: String) -> TroveError { .schemaMismatch(model: self.name, reason: reason) }
            if dated.count > 1 { throw refusal("'\(dated[0].name)' and '\(dated[1].name)' both have '\(name)'; one property has it") }
            guard let field = dated.first else { continue }
            if field.type != .optional(.date) { throw refusal("'\(field.name)' has '\(name)' and is no optional date; make its type 'Date?'") }
            if field.isEncrypted {
                throw refusal("'\(field.name)' has '\(name)' and is encrypted; the store writes the date by itself, so leave out one of the two")
            }
            if !field.options.isDisjoint(with: [.writeOnce, .keepIfNil]) {
                throw refusal("'\(field.name)' has '\(name)', which says how it is saved; leave out '.writeOnce' and '.keepIfNil'")
            }
            if field.options.isSuperset(of: [.creationDate, .modificationDate]) {
                throw refusal("'\(field.name)' cannot have both dates; declare two properties")
            }
        }
    }
}
