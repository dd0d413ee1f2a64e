/// A type whose values are stored natively, without `Codable`.
///
/// `Bool`, all integers up to 64 bits, `Float`, `Double`, `Decimal`, `String`, `Data`, `Date`, `UUID`, `URL`,
/// ``ObjectID``, and optionals, arrays, sets and dictionaries of these. Enums with such a raw value are stored as
/// it, any other type through `Codable`; neither has to conform.
public protocol Storable: Sendable {
    /// How the values are stored.
    static var fieldType: FieldType { get }

    /// Writes the value as the next field of a record.
    func encodeField(into record: inout RecordEncoder) throws

    /// Reads the next field of a record.
    static func decodeField(from record: inout RecordDecoder) throws -> Self

    /// Appends the value with a tag that tells its type, as part of a nested value.
    func encodeNested(into bytes: inout ByteWriter) throws

    /// Reads a value that ``encodeNested(into:)`` wrote.
    static func decodeNested(from bytes: inout ByteReader) throws -> Self
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

/// Integers are stored in their own width, little-endian.
extension Storable where Self: FixedWidthInteger & BitwiseCopyable {
    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws {
        record.appendFixed(littleEndian)
    }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> Self {
        Self(littleEndian: try record.fixed())
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        if let value = Int64(exactly: self) { bytes.append(nested: value) } else { bytes.append(nested: UInt64(self)) }
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Self {
        let value = try StoredValue.decodeNested(from: &bytes)
        switch value {
        case .int(let integer):
            if let exact = Self(exactly: integer) { return exact }
        case .uint(let integer):
            if let exact = Self(exactly: integer) { return exact }
        default: break
        }
        throw value.mismatch(Self.self)
    }
}

extension Int8: Storable { public static var fieldType: FieldType { .int8 } }
extension Int16: Storable { public static var fieldType: FieldType { .int16 } }
extension Int32: Storable { public static var fieldType: FieldType { .int32 } }
extension Int64: Storable { public static var fieldType: FieldType { .int64 } }
extension UInt8: Storable { public static var fieldType: FieldType { .uint8 } }
extension UInt16: Storable { public static var fieldType: FieldType { .uint16 } }
extension UInt32: Storable { public static var fieldType: FieldType { .uint32 } }
extension UInt64: Storable { public static var fieldType: FieldType { .uint64 } }

/// Stored in 64 bits on every platform.
extension Int: Storable {
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
extension UInt: Storable {
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

extension Bool: Storable {
    public static var fieldType: FieldType { .bool }

    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(self ? 1 as UInt8 : 0) }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> Bool { try record.fixed(UInt8.self) != 0 }

    public func encodeNested(into bytes: inout ByteWriter) throws { bytes.append(tag: self ? .true : .false) }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Bool {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .bool(let bool) = value else { throw value.mismatch(Self.self) }
        return bool
    }
}

/// All bits are kept: the sign of zero, the payload of a NaN.
extension Double: Storable {
    public static var fieldType: FieldType { .double }

    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(bitPattern.littleEndian) }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> Double {
        Double(bitPattern: UInt64(littleEndian: try record.fixed()))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .double)
        bytes.append(bitPattern.littleEndian)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Double {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .double(let double) = value else { throw value.mismatch(Self.self) }
        return double
    }
}

/// All bits are kept: the sign of zero, the payload of a NaN.
extension Float: Storable {
    public static var fieldType: FieldType { .float }

    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(bitPattern.littleEndian) }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> Float {
        Float(bitPattern: UInt32(littleEndian: try record.fixed()))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .float)
        bytes.append(bitPattern.littleEndian)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Float {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .float(let float) = value else { throw value.mismatch(Self.self) }
        return float
    }
}
