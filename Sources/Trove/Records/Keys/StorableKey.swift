import Foundation

/// A type whose values can be ids: it has an encoding whose bytes are in the order of the values.
///
/// `Bool`, all integers up to 128 bits, `Float`, `Double`, `Decimal`, `String`, `Data`, `Date`, `UUID`, `URL`,
/// ``ObjectID``, optionals of these and enums with such a raw value conform. A composite id encodes
/// its parts one after the other:
///
/// ```swift
/// struct Edition: StorableKey {
///     var work: String
///     var year: Int
///     func encode(into key: inout KeyEncoder) {
///         work.encode(into: &key)
///         year.encode(into: &key)
///     }
///     init(from key: inout KeyDecoder) throws {
///         work = try String(from: &key)
///         year = try Int(from: &key)
///     }
///     static var keyParts: [(name: String, type: any StorableKey.Type)] { [("work", String.self), ("year", Int.self)] }
/// }
/// ```
///
/// Encodings are self-delimiting, so that parts can follow each other, and never empty.
public protocol StorableKey: Hashable, Sendable {
    /// Appends the order-preserving bytes of this value.
    func encode(into key: inout KeyEncoder)

    /// Reads a value from the bytes that ``encode(into:)`` wrote.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when they are not such bytes.
    init(from key: inout KeyDecoder) throws

    /// The names and types of a composite's parts, in the order of their encoding; none by default.
    ///
    /// A store keeps them, and refuses to open with a model whose id has other parts, or has them in another order.
    static var keyParts: [(name: String, type: any StorableKey.Type)] { get }

    /// Whether two ids have the same key: whether their ``keyBytes`` are. It has a default.
    ///
    /// It is what ``Reference`` and all of Trove compare ids with. Swift's `==` may be wider: é as one scalar and as two are equal texts, and two ids.
    func hasKey(of other: Self) -> Bool

    /// Hashes what ``hasKey(of:)`` compares. It has a default.
    func hashKey(into hasher: inout Hasher)

    /// The stored type of a ``Reference`` to an object with such an id; the id's own type where it is ``Storable``. It has a default.
    static var referenceType: FieldType { get }

    /// Writes the id as the next field of a record that refers to the object. It has a default.
    func encodeReference(into record: inout RecordEncoder) throws

    /// Reads what ``encodeReference(into:)`` wrote.
    static func decodeReference(from record: inout RecordDecoder) throws -> Self

    /// Appends the id as part of a nested value that refers to the object. It has a default.
    func encodeNestedReference(into bytes: inout ByteWriter) throws

    /// Reads what ``encodeNestedReference(into:)`` wrote.
    static func decodeNestedReference(from bytes: inout ByteReader) throws -> Self
}

extension StorableKey {
    /// None.
    public static var keyParts: [(name: String, type: any StorableKey.Type)] { [] }
}

extension StorableKey {
    /// The value's order-preserving bytes: `a < b` exactly when the bytes of `a` are below those of `b`.
    @inlinable
    public var keyBytes: [UInt8] {
        var key = KeyEncoder()
        encode(into: &key)
        return key.bytes
    }

    /// Reads a value from its ``keyBytes``.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when they are not, or when bytes are left over.
    @inlinable
    public init(keyBytes: [UInt8]) throws {
        self = try keyBytes.withUnsafeBytes { try Self(keyBuffer: $0) }
    }

    /// The value whose bytes are in `buffer`, which is read during the call only.
    @inlinable
    init(keyBuffer buffer: UnsafeRawBufferPointer) throws {
        var key = KeyDecoder(buffer)
        try self.init(from: &key)
        try key.finish()
    }
}

extension StorableKey {
    /// The id as messages show it.
    @usableFromInline var shownInErrors: String {
        // Foundation traps when it describes a date that is not a number, also one inside of an id of several values.
        Date.isNotNumber(in: self) ? StoredRecord.text(of: keyBytes) : String(String(describing: self).prefix(80))
    }
}

extension Date {
    /// The date as messages show it.
    var shownInErrors: String { timeIntervalSinceReferenceDate.isNaN ? "a date that is not a number" : "\(self)" }

    /// Whether a value is a date that is not a number, or has one in it.
    fileprivate static func isNotNumber(in value: Any) -> Bool {
        if let date = value as? Date { return date.timeIntervalSinceReferenceDate.isNaN }
        return Mirror(reflecting: value).children.contains { isNotNumber(in: $0.value) }
    }
}
