/// Integers are stored in their own width, little-endian.
extension Storable where Self: FixedWidthInteger & BitwiseCopyable {
    public static var _nestsExactly: Bool { true }

    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws {
        record.appendFixed(littleEndian)
    }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> Self {
        Self(littleEndian: try record.fixed())
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        if let value = Int64(exactly: self) {
            bytes.append(nested: value)
        } else if let value = UInt64(exactly: self) {
            bytes.append(nested: value)
        } else {
            bytes.append(nestedLarge: self)
        }
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Self {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard let integer = Self(integer: value) else { throw value.mismatch(Self.self) }
        return integer
    }

    public init(_stored value: StoredValue) throws {
        if let integer = Self(integer: value) { self = integer } else { try self.init(convertingStored: value) }
    }
}

extension FixedWidthInteger {
    /// The integer that a stored value is, when the type has it.
    init?(integer value: StoredValue) {
        switch value {
        case .int(let integer): self.init(exactly: integer)
        case .uint(let integer): self.init(exactly: integer)
        case .int128(let integer): self.init(exactly: integer)
        case .uint128(let integer): self.init(exactly: integer)
        default: return nil
        }
    }
}

extension Int8: Storable, StorableKey, IntegerScalar { public static var fieldType: FieldType { .int8 } }
extension Int16: Storable, StorableKey, IntegerScalar { public static var fieldType: FieldType { .int16 } }
extension Int32: Storable, StorableKey, IntegerScalar { public static var fieldType: FieldType { .int32 } }
extension Int64: Storable, StorableKey, IntegerScalar { public static var fieldType: FieldType { .int64 } }
extension UInt8: Storable, StorableKey, IntegerScalar { public static var fieldType: FieldType { .uint8 } }
extension UInt16: Storable, StorableKey, IntegerScalar { public static var fieldType: FieldType { .uint16 } }
extension UInt32: Storable, StorableKey, IntegerScalar { public static var fieldType: FieldType { .uint32 } }

extension UInt64: Storable, StorableKey, IntegerScalar {
    typealias Part = UInt64
    public static var fieldType: FieldType { .uint64 }
}

/// Stored in 64 bits on every platform.
extension Int: Storable, StorableKey {
    public static var fieldType: FieldType { .int64 }

    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(Int64(self).littleEndian) }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> Int {
        let wide = Int64(littleEndian: try record.fixed())
        guard let value = Int(exactly: wide) else { throw DecodingFault.unfit(reason: "\(wide) does not fit an Int here") }
        return value
    }
}

/// Stored in 64 bits on every platform.
extension UInt: Storable, StorableKey {
    public static var fieldType: FieldType { .uint64 }

    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(UInt64(self).littleEndian) }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> UInt {
        let wide = UInt64(littleEndian: try record.fixed())
        guard let value = UInt(exactly: wide) else { throw DecodingFault.unfit(reason: "\(wide) does not fit a UInt here") }
        return value
    }
}

extension StorableKey where Self: FixedWidthInteger & UnsignedInteger & BitwiseCopyable {
    /// Appends the number's bytes, the highest first.
    @inlinable
    public func encode(into key: inout KeyEncoder) { key.append(bigEndian: self) }

    @inlinable
    public init(from key: inout KeyDecoder) throws { self = try key.bigEndian() }
}

/// Signed integers sort as unsigned ones once the sign bit is flipped.
extension StorableKey where Self: FixedWidthInteger & SignedInteger, Magnitude: FixedWidthInteger & UnsignedInteger & BitwiseCopyable {
    /// Appends the number's bytes, the highest first, with the sign bit flipped.
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        key.append(bigEndian: Magnitude(truncatingIfNeeded: self) ^ Self.signBit)
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        self = Self(truncatingIfNeeded: try key.bigEndian(Magnitude.self) ^ Self.signBit)
    }

    @inlinable
    static var signBit: Magnitude { Magnitude(1) << (bitWidth - 1) }
}

/// A scalar type of integers.
protocol IntegerScalar: Scalar, FixedWidthInteger, BitwiseCopyable {
    /// The integers that stand for the values as parts of indexes, so that a field may become wider without its index.
    associatedtype Part: FixedWidthInteger & StorableKey & BitwiseCopyable = Int64 where Part.Magnitude: BitwiseCopyable
}

extension IntegerScalar {
    static var fixedSize: Int? { bitWidth / 8 }
    static var valueClass: ValueClass { .number }
    static var partForm: PartForm { .fixed(Part.bitWidth / 8) }
    static var partIsKey: Bool { Part.self == Self.self }
    static var integer: (any IntegerScalar.Type)? { Self.self }

    var storedValue: StoredValue { StoredValue(integer: self) }
    init?(lossless value: StoredValue) { self.init(integer: value) }

    init(fromPart part: inout KeyDecoder) throws {
        let value = try Part(from: &part)
        guard let exact = Self(exactly: value) else { throw TroveError.corruptKey(reason: "\(value) is no \(Self.self)") }
        self = exact
    }

    static func fieldValue(at place: UnsafeRawPointer) -> FieldValue { .integer(Self(littleEndian: place.loadUnaligned(as: Self.self))) }
    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue { .integer(try Self(from: &key)) }
    static func fieldValue(ofPart part: inout KeyDecoder) throws -> FieldValue { .integer(try Part(from: &part)) }
    func literal(_ cut: (String) -> String) -> String { "\(self)" }
}

extension FixedWidthInteger {
    /// The negative of a magnitude; nil when the type does not have it.
    init?(negating magnitude: UInt128) {
        guard magnitude <= UInt128(Self.min.magnitude) else { return nil }
        self = 0 &- Self(truncatingIfNeeded: magnitude)
    }
}

extension StoredValue {
    /// An integer in the narrowest form that holds it.
    init(integer value: some FixedWidthInteger) {
        if let value = Int64(exactly: value) {
            self = .int(value)
        } else if let value = UInt64(exactly: value) {
            self = .uint(value)
        } else {
            self = Int128(exactly: value).map { .int128($0) } ?? .uint128(UInt128(value))
        }
    }
}

extension FieldValue {
    /// An integer in the narrowest form that holds it.
    @inline(__always)
    static func integer(_ value: some FixedWidthInteger) -> FieldValue {
        if let value = Int64(exactly: value) { return .int(value) }
        return UInt64(exactly: value).map { .uint($0) } ?? .largeInteger(PackedDecimal(integer: value))
    }
}

// Stored in sixteen bytes, little-endian, as other integers are in their own width.

extension Int128: Storable, StorableKey, IntegerScalar {
    typealias Part = Int128
    public static var fieldType: FieldType { .int128 }
}

extension UInt128: Storable, StorableKey, IntegerScalar {
    typealias Part = UInt128
    public static var fieldType: FieldType { .uint128 }
}

// Beyond 64 bits an integer is a sign and a magnitude, as in a decimal: so it is compared, and so nested values have it.

extension PackedDecimal {
    /// An integer of up to 128 bits.
    init(integer value: some FixedWidthInteger) {
        self.init(kind: value < 0 ? 1 : 0, exponent: 0, mantissa: UInt128(value.magnitude))
    }

    /// The integer, in the narrowest form that holds it; nil when it has more than 128 bits.
    var integer: StoredValue? {
        if kind == 1 { Int128(negating: mantissa).map { StoredValue(integer: $0) } } else { StoredValue(integer: mantissa) }
    }
}

extension ByteWriter {
    /// Appends an integer that 64 bits do not hold, with its tag.
    mutating func append(nestedLarge value: some FixedWidthInteger) {
        append(tag: .largeInteger)
        append(value < 0 ? 1 : 0 as UInt8)
        append(UInt128(value.magnitude).littleEndian)
    }
}

extension ByteReader {
    /// The next integer that ``ByteWriter/append(nestedLarge:)`` wrote, of which the tag has been read.
    mutating func largeInteger() throws -> FieldValue {
        let value = PackedDecimal(kind: try load(), exponent: 0, mantissa: try integer())
        let isNegative = value.kind == 1
        let isBeyond = isNegative ? value.mantissa > UInt128(Int64.min.magnitude) : value.mantissa > UInt128(UInt64.max)
        guard value.kind < 2, isBeyond, !isNegative || value.mantissa <= UInt128(Int128.min.magnitude) else {
            throw TroveError.corruptValue(reason: "bad bytes of a large integer")
        }
        return .largeInteger(value)
    }
}
