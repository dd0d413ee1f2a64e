/// A type whose values are stored natively, without `Codable`; ``StorableConvertible`` makes your own type one.
///
/// `Bool`, all integers up to 128 bits, `Float`, `Double`, `Decimal`, `String`, `Data`, `Date`, `Duration`, `UUID`, `URL`,
/// ``ObjectID``, ``GeoPoint``, and optionals, arrays, sets and dictionaries of these. Enums with such a raw value are stored as
/// it, any other type through `Codable`; neither has to conform.
public protocol Storable: Sendable {
    /// The stored type of the values.
    static var fieldType: FieldType { get }

    /// Writes the value as the next field of a record.
    func encodeField(into record: inout RecordEncoder) throws

    /// Reads the next field of a record.
    static func decodeField(from record: inout RecordDecoder) throws -> Self

    /// Appends the value with a tag that tells its type, as part of a nested value.
    func encodeNested(into bytes: inout ByteWriter) throws

    /// Reads a value that ``encodeNested(into:)`` wrote.
    static func decodeNested(from bytes: inout ByteReader) throws -> Self

    /// Makes the value of a stored one that is of this type, or becomes it without loss. Trove's own: a shortcut for its types, yours need none.
    init(_stored value: StoredValue) throws

    /// Whether a value always gives the same bytes by ``encodeNested(into:)``, and those that it was read from. Trove's own: yours need none.
    static var _nestsExactly: Bool { get }
}

extension Storable {
    public static var _nestsExactly: Bool { false }

    public init(_stored value: StoredValue) throws { try self.init(convertingStored: value) }

    /// As ``init(_stored:)``, for any type.
    init(convertingStored value: StoredValue) throws { try self.init(converting: value.converted(to: Self.fieldType.withoutLazy)) }
}

extension String {
    /// The text in bytes whose checksum has been checked, so that they are the UTF-8 that was written.
    ///
    /// `String(validating:as:)` would look up four generic types at run time for each string, some 650 instructions (Swift 6.3);
    /// this initializer replaces what is not UTF-8 instead of refusing it, which only a forged record can bring about.
    @inlinable
    init(storedUTF8 bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
    }
}

/// Only `Optional` conforms, and `Lazy` of one: `ExpressibleByNilLiteral` would take in other types, which have no bit in the nil bitmap.
@usableFromInline protocol OptionalValue {
    static var absent: Self { get }
}

extension Optional: OptionalValue {
    @usableFromInline static var absent: Wrapped? { nil }
}

extension Optional: Storable where Wrapped: Storable {
    public static var fieldType: FieldType { .optional(Wrapped.fieldType) }
    public static var _nestsExactly: Bool { Wrapped._nestsExactly }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws {
        guard let self else { return record.appendNil(Wrapped.fieldType) }
        record.appendPresent()
        try self.encodeField(into: &record)
    }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> Wrapped? {
        try record.isNil(Wrapped.fieldType) ? nil : .some(Wrapped.decodeField(from: &record))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        if let self { try self.encodeNested(into: &bytes) } else { bytes.append(tag: .null) }
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Wrapped? {
        try bytes.takeNull() ? nil : .some(Wrapped.decodeNested(from: &bytes))
    }

    public init(_stored value: StoredValue) throws {
        if case .null = value { self = .none } else { self = .some(try Wrapped(_stored: value)) }
    }
}

/// A value that is a nested value of its own inside a record: written after the other variable values.
extension Storable {
    @usableFromInline func encodeVariable(into record: inout RecordEncoder) throws {
        try encodeNested(into: &record.bytes)
        record.endVariable()
    }

    @usableFromInline static func decodeVariable(from record: inout RecordDecoder) throws -> Self {
        try record.nested { bytes in try decodeNested(from: &bytes) }
    }
}

extension RecordDecoder {
    /// Reads the next value, which is a nested value of its own, to its end.
    @usableFromInline mutating func nested<Value>(_ body: (inout ByteReader) throws -> Value) throws -> Value {
        var bytes = ByteReader(try variable())
        let value = try body(&bytes)
        guard bytes.remaining == 0 else { throw DecodingFault.damaged("bytes are left after a nested value") }
        return value
    }
}

extension Array: Storable where Element: Storable {
    public static var fieldType: FieldType { .array(Element.fieldType) }
    public static var _nestsExactly: Bool { Element._nestsExactly }

    public func encodeField(into record: inout RecordEncoder) throws { try encodeVariable(into: &record) }

    // Inlinable, so that the loop over long lists is compiled for their elements.
    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> [Element] {
        try record.nested { bytes in try decodeNested(from: &bytes) }
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        try bytes.container(.array, count: count) { bytes in
            for element in self { try element.encodeNested(into: &bytes) }
        }
    }

    @inlinable
    public static func decodeNested(from bytes: inout ByteReader) throws -> [Element] {
        try bytes.array { bytes, count in
            var elements: [Element] = []
            elements.reserveCapacity(Swift.min(count, 1_024))  // Forged bytes may tell any count.
            for _ in 0..<count { elements.append(try Element.decodeNested(from: &bytes)) }
            return elements
        }
    }
}

/// Stored as an array in the order of the elements' bytes, so that equal sets have equal bytes.
extension Set: Storable where Element: Storable {
    public static var fieldType: FieldType { .set(Element.fieldType) }

    public func encodeField(into record: inout RecordEncoder) throws { try encodeVariable(into: &record) }

    public static func decodeField(from record: inout RecordDecoder) throws -> Set { try decodeVariable(from: &record) }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        try bytes.checkDepth()
        let depth = bytes.depth
        let elements = try map { element in try ByteWriter.nestedBytes(of: element, depth: depth + 1) }.sorted { $0.lexicographicallyPrecedes($1) }
        // Two of them would come back as one, but for those that equal nothing, as a NaN.
        if zip(elements, elements.dropFirst()).contains(where: ==), allSatisfy({ $0 == $0 }) {
            throw DecodingFault.unfit(reason: "two elements of the set are stored alike")
        }
        try bytes.container(.array, count: count) { bytes in
            for element in elements { element.withUnsafeBytes { bytes.append($0) } }
        }
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Set {
        Set(try [Element].decodeNested(from: &bytes))
    }
}

/// Stored in the order of the keys' bytes; with keys that are stored as texts in the form of a keyed value, which paths can reach into.
extension Dictionary: Storable where Key: Storable, Value: Storable {
    public static var fieldType: FieldType { .dictionary(Key.fieldType, Value.fieldType) }

    public func encodeField(into record: inout RecordEncoder) throws { try encodeVariable(into: &record) }

    public static func decodeField(from record: inout RecordDecoder) throws -> Dictionary { try decodeVariable(from: &record) }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        if Key.self == String.self, let strings = self as? [String: Value] {
            return try bytes.object(strings) { value, bytes in try value.encodeNested(into: &bytes) }
        }
        try bytes.checkDepth()
        if Self.hasTextKeys {
            let named = try map { (try Self.text(of: $0.key), $0.value) }
            return try bytes.object([String: Value](named, uniquingKeysWith: { _, _ in throw DecodingFault.keysAlike })) { try $0.encodeNested(into: &$1) }
        }
        let depth = bytes.depth
        let entries = try map { (key: try ByteWriter.nestedBytes(of: $0.key, depth: depth + 1), value: $0.value) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        // As elements of sets.
        if zip(entries, entries.dropFirst()).contains(where: { $0.key == $1.key }), keys.allSatisfy({ $0 == $0 }) { throw DecodingFault.keysAlike }
        try bytes.container(.dictionary, count: count) { bytes in
            for entry in entries {
                entry.key.withUnsafeBytes { bytes.append($0) }
                try entry.value.encodeNested(into: &bytes)
            }
        }
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Dictionary {
        // Texts that are not `String` in the program were once stored as other keys.
        let isObject = try hasTextKeys && bytes.peek() != NestedTag.dictionary.rawValue
        return try bytes.container(isObject ? .object : .dictionary) { bytes, count in
            var result = Dictionary(minimumCapacity: Swift.min(count, 1_024))
            for _ in 0..<count {
                let key = isObject ? try Self.key(named: bytes.name()) : try Key.decodeNested(from: &bytes)
                result[key] = try Value.decodeNested(from: &bytes)
            }
            return result
        }
    }

    /// Whether the keys are stored as texts: those of a type of one's own are the same as `String`, with which it may change places.
    private static var hasTextKeys: Bool {
        if Key.self == String.self { return true }
        if case .string = Key.fieldType { return true }
        return false
    }

    private static func text(of key: Key) throws -> String {
        guard case .string(let text) = try StoredValue(nesting: key) else { throw DecodingFault.unfit(reason: "a key is not stored as a text") }
        return text
    }

    private static func key(named name: String) throws -> Key {
        if Key.self == String.self, let key = name as? Key { return key }
        return try Key(converting: .string(name))
    }
}
