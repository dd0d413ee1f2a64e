extension FieldSchema {
    /// A field for a live object's property that holds objects and is stored as references to them; empty when a record lacks it.
    public init<Root: LiveModel, Value: LiveRelationship>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, relationship: RelationshipOptions, originalName: String? = nil,
        hasDefault: Bool = false, options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: Value.References.fieldType, originalName: originalName, hasDefault: true, options: options,
            relationship: RelationshipSchema(Value.References.self, relationship))
    }

    @available(
        *, unavailable, message: "a property that gives objects is a relationship: write '@Relationship' before it"
    )
    public init<Root, Value: LiveRelationship>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(name, property, relationship: RelationshipOptions(), originalName: originalName, hasDefault: hasDefault, options: options)
    }
}

extension FieldSchema {
    /// A field for a lazy property of a class.
    public init<Root: _LiveObject, Value: Storable>(
        lazy name: String, _ property: KeyPath<Root, Value> & Sendable, originalName: String? = nil, hasDefault: Bool = false, options: FieldOptions = []
    ) {
        self.init(lazy: name, property, Value.self, originalName: originalName, hasDefault: hasDefault, options: options)
    }

    /// A field for a lazy `Codable` property of a class.
    @_disfavoredOverload
    public init<Root: _LiveObject, Value: Codable>(
        lazy name: String, _ property: KeyPath<Root, Value> & Sendable, originalName: String? = nil, hasDefault: Bool = false, options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: .lazy(.codable(named: Value.self)), originalName: originalName, hasDefault: hasDefault, options: options)
    }

    /// A field for a lazy optional `Codable` property of a class.
    @_disfavoredOverload
    public init<Root: _LiveObject, Value: Codable>(
        lazy name: String, _ property: KeyPath<Root, Value?> & Sendable, originalName: String? = nil, hasDefault: Bool = false, options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: .lazy(.optional(.codable(named: Value.self))), originalName: originalName, hasDefault: hasDefault,
            options: options)
    }
}

extension RecordEncoder {
    @available(
        *, unavailable, message: "a property that gives objects is a relationship: write '@Relationship' before it"
    )
    public mutating func encode<Value: LiveRelationship>(_ value: Value) throws {}
}

extension RecordDecoder {
    @available(
        *, unavailable, message: "a property that gives objects is a relationship: write '@Relationship' before it"
    )
    public mutating func decode<Value: LiveRelationship>() throws -> Value {
        throw DecodingFault.missing
    }

    @available(
        *, unavailable, message: "a property that gives objects is a relationship: write '@Relationship' before it"
    )
    public mutating func decode<Value: LiveRelationship>(default value: @autoclosure () throws -> Value) throws -> Value {
        try value()
    }
}
