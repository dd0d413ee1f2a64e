/// One stored property of a model.
public struct FieldSchema: Sendable {
    /// The property's name, under which its values are stored.
    public let name: String
    /// The stored type of its values.
    public let type: FieldType
    /// The name that the property may have in older records.
    public let originalName: String?
    /// Whether `init(from:)` has a value for records that lack the field. Optional properties always have one; see
    /// ``withComputedDefault`` for one that may be another each time.
    public let hasDefault: Bool
    /// Whether records that lack the field have nil: it is optional, and no other default value is declared.
    let isNilWhenMissing: Bool
    /// Whether the value of records that lack the field may be another each time it is asked for.
    private(set) var computesDefault = false
    /// The literal that records that lack the field have, as its source; nil where it is none, or nobody has told it.
    private var literalDefault: String?
    /// The rules of a save for the field.
    public private(set) var options: FieldOptions
    /// The property, by which queries in Swift name the field; nil for a field that was declared without one.
    let property: (AnyKeyPath & Sendable)?
    /// The property as it is observed, where that is another: a class that inherits one has key paths of its own to it, but
    /// the accessors have those of the superclass.
    private(set) var observed: (AnyKeyPath & Sendable)?
    /// The relationship of the field; nil when its values are no references.
    public let relationship: RelationshipSchema?
    /// Whether its values are references in a lazy value, which would be no relationship.
    private(set) var hasLazyReferences = false

    /// A field of the given type. Queries name it by its text, not by a key path.
    public init(
        _ name: String, type: FieldType, originalName: String? = nil, hasDefault: Bool = false, options: FieldOptions = []
    ) {
        self.init(name, property: nil, type: type, originalName: originalName, hasDefault: hasDefault, options: options)
    }

    init(
        _ name: String, property: (AnyKeyPath & Sendable)?, type: FieldType, originalName: String?, hasDefault: Bool, options: FieldOptions,
        relationship: RelationshipSchema? = nil
    ) {
        self.name = name
        self.type = type
        self.originalName = originalName
        self.hasDefault = hasDefault || type.withoutLazy.optionalDepth > 0
        isNilWhenMissing = !hasDefault && type.withoutLazy.optionalDepth > 0
        self.options = options
        self.property = property
        self.relationship = relationship
    }

    /// A field for a property whose type Trove stores natively; the key path tells the type.
    public init<Root, Value: Storable>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: Value.fieldType, originalName: originalName, hasDefault: hasDefault, options: options,
            relationship: (Value.self as? any RelationshipValue.Type).map { RelationshipSchema($0, RelationshipOptions()) })
        hasLazyReferences = (Value.self as? any LazyValue.Type).map { $0.valueType is any RelationshipValue.Type } ?? false
    }

    /// A field for a lazy value of a natively stored type, whose property has it as such.
    init<Value: Storable>(
        lazy name: String, _ property: (AnyKeyPath & Sendable)?, _ type: Value.Type, originalName: String?, hasDefault: Bool, options: FieldOptions
    ) {
        self.init(
            name, property: property, type: .lazy(Value.fieldType), originalName: originalName, hasDefault: hasDefault, options: options)
        hasLazyReferences = type is any RelationshipValue.Type
    }

    /// A field for a relationship, with the arguments of `@Relationship`.
    public init<Root, Value: RelationshipValue>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, relationship: RelationshipOptions, originalName: String? = nil,
        hasDefault: Bool = false, options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: Value.fieldType, originalName: originalName, hasDefault: hasDefault, options: options,
            relationship: RelationshipSchema(Value.self, relationship))
    }

    /// A field for an enum that is stored as its raw value.
    public init<Root, Value: RawRepresentable>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) where Value.RawValue: Storable {
        self.init(
            name, property: property, type: Value.RawValue.fieldType, originalName: originalName, hasDefault: hasDefault,
            options: options)
    }

    /// A field for an optional enum that is stored as its raw value.
    public init<Root, Value: RawRepresentable>(
        _ name: String, _ property: KeyPath<Root, Value?> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) where Value.RawValue: Storable {
        self.init(
            name, property: property, type: .optional(Value.RawValue.fieldType), originalName: originalName, hasDefault: hasDefault,
            options: options)
    }

    /// A field for an enum that is stored by a form of its own.
    public init<Root, Value: StorableConvertible & RawRepresentable>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) where Value.RawValue: Storable {
        self.init(name, property: property, type: Value.fieldType, originalName: originalName, hasDefault: hasDefault, options: options)
    }

    /// A field for an optional enum that is stored by a form of its own.
    public init<Root, Value: StorableConvertible & RawRepresentable>(
        _ name: String, _ property: KeyPath<Root, Value?> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) where Value.RawValue: Storable {
        self.init(name, property: property, type: Value?.fieldType, originalName: originalName, hasDefault: hasDefault, options: options)
    }

    /// A field for a `Codable` property.
    @_disfavoredOverload
    public init<Root, Value: Codable>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: .codable(named: Value.self), originalName: originalName, hasDefault: hasDefault,
            options: options)
    }

    /// A field for an optional `Codable` property.
    @_disfavoredOverload
    public init<Root, Value: Codable>(
        _ name: String, _ property: KeyPath<Root, Value?> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: .optional(.codable(named: Value.self)), originalName: originalName,
            hasDefault: hasDefault, options: options)
    }
}

extension FieldSchema {
    /// The same field with `.encrypted`.
    var encrypted: FieldSchema {
        var field = self
        field.options.insert(.encrypted)
        return field
    }

    /// The same field, whose default may be another value each time, as `UUID()` and `Date.now` are; `@Model` says so of every default that is no literal.
    ///
    /// Where records of an older layout lack the field, the building of an index of the field stores them with the values that the index has of them.
    public var withComputedDefault: FieldSchema {
        var field = self
        field.computesDefault = true
        return field
    }

    /// The same field, with the source of its default value; `@Model` tells it of every default that is a literal.
    ///
    /// Where records of an older layout lack the field, its indexes have this value of them. So a program with another text builds these indexes anew. A schema
    /// that is written by hand tells the value in this way, as any text that changes with it.
    public func withDefault(_ source: String) -> FieldSchema {
        var field = self
        field.literalDefault = source
        return field
    }

    /// What tells the value that records have which lack the field from that of a program with another default; nil where there is none, or it is unknown.
    var valueWhenMissing: String? { computesDefault ? "computed" : literalDefault ?? (isNilWhenMissing ? "nil" : nil) }

    /// The field of an inherited property, with the key path that its accessors use.
    public func _observed(as property: any AnyKeyPath & Sendable) -> FieldSchema {
        var field = self
        field.observed = property
        return field
    }
}

extension FieldSchema: Hashable {
    /// Whether two fields are stored in the same way, whichever property they belong to.
    public static func == (left: FieldSchema, right: FieldSchema) -> Bool {
        left.name == right.name && left.type == right.type && left.originalName == right.originalName
            && left.hasDefault == right.hasDefault && left.options == right.options
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(type)
    }
}

extension FieldSchema {
    /// Whether its values are stored encrypted.
    var isEncrypted: Bool { options.contains(.encrypted) }
}

extension FieldSchema {
    /// A field for a lazy `Codable` property.
    @_disfavoredOverload
    public init<Root, Value: Codable>(
        _ name: String, _ property: KeyPath<Root, Lazy<Value>> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: .lazy(.codable(named: Value.self)), originalName: originalName, hasDefault: hasDefault, options: options)
    }

    /// A field for a lazy optional `Codable` property.
    @_disfavoredOverload
    public init<Root, Value: Codable>(
        _ name: String, _ property: KeyPath<Root, Lazy<Value?>> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: .lazy(.optional(.codable(named: Value.self))), originalName: originalName, hasDefault: hasDefault,
            options: options)
    }
}

// The compiler comes to these overloads when a property's type fits no other, and says why instead of listing all that did not fit.

extension FieldSchema {
    @available(
        *, unavailable, message: "this type cannot be stored: make it Codable, or an enum with a raw value, or mark the property '@Transient'"
    )
    public init<Root, Value>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(name, type: .codable(named: Value.self), originalName: originalName, hasDefault: hasDefault, options: options)
    }

    @available(
        *, unavailable,
        message: "'@Relationship' is for references: make the property a 'Reference', optional or in an array, set or dictionary by 'String'"
    )
    public init<Root, Value>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, relationship: RelationshipOptions, originalName: String? = nil,
        hasDefault: Bool = false, options: FieldOptions = []
    ) {
        self.init(name, type: .codable(named: Value.self), originalName: originalName, hasDefault: hasDefault, options: options)
    }
}

extension RecordEncoder {
    @available(
        *, unavailable, message: "this type cannot be stored: make it Codable, or an enum with a raw value, or mark the property '@Transient'"
    )
    public mutating func encode<Value>(_ value: Value) throws {}
}

extension RecordDecoder {
    @available(
        *, unavailable, message: "this type cannot be stored: make it Codable, or an enum with a raw value, or mark the property '@Transient'"
    )
    public mutating func decode<Value>() throws -> Value {
        throw DecodingFault.missing
    }

    @available(
        *, unavailable, message: "this type cannot be stored: make it Codable, or an enum with a raw value, or mark the property '@Transient'"
    )
    public mutating func decode<Value>(default value: @autoclosure () throws -> Value) throws -> Value {
        try value()
    }
}
