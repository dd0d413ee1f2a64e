// An enum with a raw value that is a `StorableConvertible` is one of two kinds of stored types at once. What both have is told here.

extension StorableConvertible where Self: RawRepresentable, RawValue: Storable {
    /// The raw value.
    @inlinable public var storedForm: RawValue { rawValue }

    /// The case with a raw value; nil when there is none.
    @inlinable public init?(storedForm: RawValue) { self.init(rawValue: storedForm) }
}

extension StorableKey where Self: StorableConvertible & RawRepresentable, RawValue: StorableKey, StoredForm == RawValue {
    /// Writes the key; enums sort by their raw values.
    public func encode(into key: inout KeyEncoder) { rawValue.encode(into: &key) }

    public init(from key: inout KeyDecoder) throws { self = try key.rawRepresentable() }
}

extension RecordEncoder {
    /// Writes the stored form of an enum as the next field.
    public mutating func encode<Value: StorableConvertible & RawRepresentable>(_ value: Value) throws where Value.RawValue: Storable {
        try value.encodeField(into: &self)
    }

    /// Writes the stored form of an optional enum as the next field.
    public mutating func encode<Value: StorableConvertible & RawRepresentable>(_ value: Value?) throws where Value.RawValue: Storable {
        try value.encodeField(into: &self)
    }
}

extension RecordDecoder {
    /// Reads an enum by its stored form as the next field.
    public mutating func decode<Value: StorableConvertible & RawRepresentable>() throws -> Value where Value.RawValue: Storable {
        try storable()
    }

    /// Reads an enum by its stored form as the next field, or returns `value` when the record lacks it.
    public mutating func decode<Value: StorableConvertible & RawRepresentable>(
        default value: @autoclosure () throws -> Value
    ) throws -> Value where Value.RawValue: Storable {
        try storable(default: value())
    }

    /// Reads an optional enum by its stored form as the next field, nil when the record lacks it.
    public mutating func decode<Value: StorableConvertible & RawRepresentable>() throws -> Value? where Value.RawValue: Storable {
        try storable()
    }

    /// Reads an optional enum by its stored form as the next field, or returns `value` when the record lacks it.
    public mutating func decode<Value: StorableConvertible & RawRepresentable>(
        default value: @autoclosure () throws -> Value?
    ) throws -> Value? where Value.RawValue: Storable {
        try storable(default: value())
    }

    /// `decode()` as that of any stored type, which is all that is known of the type here.
    private mutating func storable<Value: Storable>() throws -> Value { try decode() }

    private mutating func storable<Value: Storable>(default value: @autoclosure () throws -> Value) throws -> Value { try decode(default: value()) }
}
