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
