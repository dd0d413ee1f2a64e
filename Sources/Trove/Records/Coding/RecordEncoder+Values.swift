extension RecordEncoder {
    /// Writes a natively stored value as the next field.
    @inlinable @inline(__always)
    public mutating func encode<Value: Storable>(_ value: Value) throws {
        try value.encodeField(into: &self)
    }

    /// Writes an enum's raw value as the next field.
    @inlinable
    public mutating func encode<Value: RawRepresentable>(_ value: Value) throws where Value.RawValue: Storable {
        try value.rawValue.encodeField(into: &self)
    }

    /// Writes an optional enum's raw value as the next field.
    @inlinable
    public mutating func encode<Value: RawRepresentable>(_ value: Value?) throws where Value.RawValue: Storable {
        try (value?.rawValue).encodeField(into: &self)
    }

    /// Writes a `Codable` value as the next field.
    @_disfavoredOverload
    public mutating func encode<Value: Codable>(_ value: Value) throws {
        try StoredValue(encoding: value).encodeNested(into: &bytes)
        endVariable()
    }

    /// Writes an optional `Codable` value as the next field.
    @_disfavoredOverload
    public mutating func encode<Value: Codable>(_ value: Value?) throws {
        guard let value else { return appendNil(.codable("")) }
        appendPresent()
        try encode(value)
    }
}
