import Foundation

/// A type whose values can be ids: it has an encoding whose bytes are in the order of the values.
///
/// `Bool`, all integers up to 128 bits, `Float`, `Double`, `Decimal`, `String`, `Data`, `Date`, `Duration`, `UUID`, `URL`,
/// ``ObjectID``, ``GeoPoint``, optionals of these and enums with such a raw value conform. A composite id encodes
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

    /// Whether two ids have the same key: whether their ``StorableKey/keyBytes`` are. It has a default.
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

    /// Calls `body` with the ``keyBytes``. Most ids are of the type ``ObjectID``, and need no array.
    @inlinable
    func withKeyBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        guard Self.self == ObjectID.self else { return try keyBytes.withUnsafeBytes(body) }
        // The cast is to the type that it has.
        let id = unsafeBitCast(self, to: ObjectID.self)
        return try withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian), body)
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
        Date.isIndescribable(in: self) ? StoredRecord.text(of: keyBytes) : String(String(describing: self).prefix(80))
    }
}

extension Date {
    /// The date as messages show it.
    var shownInErrors: String {
        if timeIntervalSinceReferenceDate.isNaN { return "a date that is not a number" }
        return isIndescribable ? "the date \(timeIntervalSinceReferenceDate) s after 2001-01-01" : "\(self)"
    }

    /// Whether Foundation has no text for it: it traps for a date that is not a number, and says of one beyond its calendar "<description unavailable>".
    private var isIndescribable: Bool { timeIntervalSinceReferenceDate.isNaN || "\(self)".hasPrefix("<") }

    /// Whether a value is such a date, or has one in it.
    fileprivate static func isIndescribable(in value: Any) -> Bool {
        if let date = value as? Date { return date.isIndescribable }
        return Mirror(reflecting: value).children.contains { isIndescribable(in: $0.value) }
    }
}

extension Optional: StorableKey where Wrapped: StorableKey {
    /// Writes the key; nil sorts before every value.
    public func encode(into key: inout KeyEncoder) {
        key.append(self == nil ? 0 : 1)
        self?.encode(into: &key)
    }

    public init(from key: inout KeyDecoder) throws {
        switch try key.byte() {
        case 0: self = nil
        case 1: self = try Wrapped(from: &key)
        case let byte: throw TroveError.corruptKey(reason: "an optional begins with 0 or 1, not \(byte)")
        }
    }
}

extension KeyDecoder {
    /// The next value by its raw value.
    mutating func rawRepresentable<Value: RawRepresentable>() throws -> Value where Value.RawValue: StorableKey {
        let raw = try Value.RawValue(from: &self)
        guard let value = Value(rawValue: raw) else { throw TroveError.corruptKey(reason: "\(Value.self) has no case with the raw value '\(raw)'") }
        return value
    }
}

extension StorableKey where Self: RawRepresentable, RawValue: StorableKey {
    /// Writes the key; enums sort by their raw values.
    public func encode(into key: inout KeyEncoder) { rawValue.encode(into: &key) }

    public init(from key: inout KeyDecoder) throws { self = try key.rawRepresentable() }
}

// Which ids are one and the same. By default their bytes are compared; where Swift's `==` says the same of a type, it is asked, which makes no bytes.

extension StorableKey {
    public func hasKey(of other: Self) -> Bool { keyBytes == other.keyBytes }

    public func hashKey(into hasher: inout Hasher) { hasher.combine(keyBytes) }
}

extension StorableKey where Self: FixedWidthInteger {
    @inlinable public func hasKey(of other: Self) -> Bool { self == other }
    @inlinable public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension ObjectID {
    @inlinable public func hasKey(of other: ObjectID) -> Bool { self == other }
    @inlinable public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension UUID {
    @inlinable public func hasKey(of other: UUID) -> Bool { self == other }
    @inlinable public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension Bool {
    @inlinable public func hasKey(of other: Bool) -> Bool { self == other }
    @inlinable public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension Data {
    public func hasKey(of other: Data) -> Bool { self == other }
    public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension String {
    public func hasKey(of other: String) -> Bool { hasBytes(of: other) }
    public func hashKey(into hasher: inout Hasher) { hashBytes(into: &hasher) }
}

extension Optional where Wrapped: StorableKey {
    public func hasKey(of other: Wrapped?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let value?, let other?): value.hasKey(of: other)
        default: false
        }
    }

    public func hashKey(into hasher: inout Hasher) {
        hasher.combine(self == nil)
        self?.hashKey(into: &hasher)
    }
}

extension StorableKey where Self: RawRepresentable, RawValue: StorableKey {
    public func hasKey(of other: Self) -> Bool { rawValue.hasKey(of: other.rawValue) }
    public func hashKey(into hasher: inout Hasher) { rawValue.hashKey(into: &hasher) }
}
