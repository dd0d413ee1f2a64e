/// Values are written as Swift's are: `["name": "Ane", "tags": ["sea", "north"], "rating": 7]`.
extension StoredValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension StoredValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self = .int(Int64(value)) }
}

extension StoredValue: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension StoredValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension StoredValue: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: StoredValue...) { self = .array(elements) }
}

extension StoredValue: ExpressibleByDictionaryLiteral {
    /// Values by their names; when a name is there twice, the last value counts.
    public init(dictionaryLiteral elements: (String, StoredValue)...) {
        self = .object(elements)
    }
}

/// A property of this type holds a value of any kind.
extension StoredValue: Storable {
    public static var fieldType: FieldType { .codable("StoredValue") }

    public func encodeField(into record: inout RecordEncoder) throws { try encodeVariable(into: &record) }

    public static func decodeField(from record: inout RecordDecoder) throws -> StoredValue { try decodeVariable(from: &record) }
}
