import Foundation

/// A type of single values, with all that the library asks of one.
///
/// `ScalarTypes.swift` lists them. Code that is not about one of them asks the table, so that a new one needs no change there.
protocol Scalar: Storable, StorableKey {
    /// The type's name in the catalogue and in messages. By default it is the type's own, which only those of the standard library have on every platform
    /// alike: of Foundation's some are imported, and have the name of their original.
    static var typeName: String { get }

    /// The bytes of a value in a record's fixed part; nil when it goes to the variable part.
    static var fixedSize: Int? { get }

    /// Which other values its values compare with.
    static var valueClass: ValueClass { get }

    /// How a value ends as a part of an index.
    static var partForm: PartForm { get }

    /// Whether a part tells the very value: one of -0.0 does not, nor one of a number that was written with more digits than it needs.
    static var partTellsValue: Bool { get }

    /// Whether a part of an index has the bytes of a key.
    static var partIsKey: Bool { get }

    /// The type itself when it is one of integers.
    static var integer: (any IntegerScalar.Type)? { get }

    /// The value for programs that work without the model's Swift type.
    var storedValue: StoredValue { get }

    /// The value that a stored one is when nothing is lost by it; nil when it is something else.
    init?(lossless value: StoredValue)

    /// The value that a part of an index tells.
    init(fromPart part: inout KeyDecoder) throws

    /// The value where it lies in a record's fixed part.
    static func fieldValue(at place: UnsafeRawPointer) throws -> FieldValue

    /// The value in a key; not for texts, which have to be unescaped.
    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue

    /// The value that a part of an index tells; for types whose parts tell it, and not for texts.
    static func fieldValue(ofPart part: inout KeyDecoder) throws -> FieldValue

    /// Whether two values are stored alike.
    func isStored(like other: Self) -> Bool

    /// The value as messages show it.
    var shownInErrors: String { get }

    /// Hashes what is stored.
    func hashStored(into hasher: inout Hasher)

    /// Whether a text, where it is compared with a field of this type, stands for a value of it.
    static var hasTextForm: Bool { get }

    /// The value that a text stands for; nil when it stands for none.
    init?(text: String)

    /// The word before a value in criteria text; nil when values have none.
    static var literalWord: String? { get }

    /// What stands after the word, for messages.
    static var literalForm: String { get }

    /// The value whose text stands in quotes after the word.
    init?(literalText text: String)

    /// The value whose digits stand after the word.
    init?(literalDigits digits: String)

    /// The value as criteria text has it.
    ///
    /// - Parameter cut: abbreviates a long text.
    func literal(_ cut: (String) -> String) -> String
}

extension Scalar {
    static var typeName: String { String(describing: Self.self) }
    static var partTellsValue: Bool { true }
    static var partIsKey: Bool { true }
    static var integer: (any IntegerScalar.Type)? { nil }
    init(fromPart part: inout KeyDecoder) throws { try self.init(from: &part) }

    /// Nothing: the values are in the variable part.
    static func fieldValue(at place: UnsafeRawPointer) throws -> FieldValue { .null }

    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue {
        throw TroveError.corruptKey(reason: "an id of type \(typeName)")
    }

    static func fieldValue(ofPart part: inout KeyDecoder) throws -> FieldValue { try fieldValue(from: &part) }

    func isStored(like other: Self) -> Bool { self == other }
    func hashStored(into hasher: inout Hasher) { hash(into: &hasher) }

    static var hasTextForm: Bool { false }
    init?(text: String) { nil }
    static var literalWord: String? { nil }
    static var literalForm: String { "" }
    init?(literalText text: String) { self.init(text: text) }
    init?(literalDigits digits: String) { nil }
}

extension Scalar {
    /// The next nested value.
    ///
    /// - Throws: `DecodingFault.unfit` when it is of another type.
    static func nestedScalar(from bytes: inout ByteReader) throws -> Self {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard let scalar = Self(lossless: value) else { throw value.mismatch(Self.self) }
        return scalar
    }

    /// The value as a field of this type keeps it, when nothing is lost by it.
    static func value(lossless value: StoredValue) -> StoredValue? { Self(lossless: value)?.storedValue }

    /// The stored form of a value that is of this type.
    static func storedValue(of value: Any) -> StoredValue? { (value as? Self)?.storedValue }

    static func value(text: String) -> StoredValue? { Self(text: text)?.storedValue }
    static func literalValue(text: String) -> StoredValue? { Self(literalText: text)?.storedValue }
    static func literalValue(digits: String) -> StoredValue? { Self(literalDigits: digits)?.storedValue }

    /// The value that a key has next.
    static func storedValue(from key: inout KeyDecoder) throws -> StoredValue { try Self(from: &key).storedValue }

    /// Appends a stored value to a key; false when it is none of this type.
    static func append(_ value: StoredValue, to key: inout KeyEncoder) -> Bool {
        guard let scalar = Self(lossless: value) else { return false }
        scalar.encode(into: &key)
        return true
    }

    /// Whether two values are of one type and stored alike.
    func equals(_ other: any Scalar) -> Bool {
        guard type(of: other) == Self.self, let other = other as? Self else { return false }
        return isStored(like: other)
    }

    /// Writes a stored value as the next field; nil when it is none of this type.
    static func encodeField(_ value: StoredValue, into record: inout RecordEncoder) throws -> Void? {
        try Self(lossless: value)?.encodeField(into: &record)
    }

    static func storedField(from record: inout RecordDecoder) throws -> StoredValue { try decodeField(from: &record).storedValue }

    /// The key of the value that a part of an index tells.
    static func keyBytes(ofPart part: inout KeyDecoder) throws -> [UInt8] { try Self(fromPart: &part).keyBytes }
}

/// How a value ends as a part of an index, so that the next one can be found.
enum PartForm: Sendable {
    case fixed(Int)
    /// With a 0, which is escaped inside.
    case terminated
    /// As `Decimal`'s key.
    case decimal
    /// As a number of any type: a double, a 0 when it is the number itself, else a 1 and a decimal.
    case anyNumber
    /// Nothing follows the class.
    case none
}

/// A scalar type whose values are sixteen bytes, everywhere alike and in the order of the values.
///
/// Records, indexes, conditions and nested values treat all of them in one way, by their class.
protocol WideScalar: Scalar {
    init(high: UInt64, low: UInt64)

    /// The first and last eight bytes, most significant first.
    var words: (high: UInt64, low: UInt64) { get }
}

extension WideScalar {
    static var fixedSize: Int? { 16 }
    static var partForm: PartForm { .fixed(16) }

    static func fieldValue(at place: UnsafeRawPointer) throws -> FieldValue {
        .wide(
            valueClass, high: UInt64(bigEndian: place.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: place.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue {
        .wide(valueClass, high: try key.bigEndian(), low: try key.bigEndian())
    }

    static func storedValue(high: UInt64, low: UInt64) -> StoredValue { Self(high: high, low: low).storedValue }
}

extension RecordEncoder {
    /// Writes a value as the next field.
    mutating func append(wide value: some WideScalar) {
        let (high, low) = value.words
        appendFixed(high.bigEndian)
        appendFixed(low.bigEndian)
    }
}

extension RecordDecoder {
    /// The next field.
    mutating func wide<Value: WideScalar>(_ type: Value.Type = Value.self) throws -> Value {
        Value(high: UInt64(bigEndian: try fixed()), low: UInt64(bigEndian: try fixed()))
    }
}

extension ByteWriter {
    /// Appends a value, with the tag that such values share and its class.
    mutating func append<Value: WideScalar>(nestedWide value: Value) {
        let (high, low) = value.words
        append(tag: .wide)
        append(Value.valueClass.rawValue)
        append(high.bigEndian)
        append(low.bigEndian)
    }
}
