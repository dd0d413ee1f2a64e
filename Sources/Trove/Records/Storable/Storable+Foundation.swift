import Foundation

extension String: Storable {
    public static var fieldType: FieldType { .string }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws {
        record.bytes.append(utf8: self)
        record.endVariable()
    }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> String {
        String(storedUTF8: try record.variable())
    }

    public func encodeNested(into bytes: inout ByteWriter) throws { bytes.append(nested: self) }

    public static func decodeNested(from bytes: inout ByteReader) throws -> String {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .string(let string) = value else { throw value.mismatch(Self.self) }
        return string
    }
}

extension Data: Storable {
    public static var fieldType: FieldType { .data }

    public func encodeField(into record: inout RecordEncoder) throws {
        withUnsafeBytes { record.bytes.append($0) }
        record.endVariable()
    }

    public static func decodeField(from record: inout RecordDecoder) throws -> Data { Data(try record.variable()) }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .data)
        bytes.append(varint: UInt64(count))
        withUnsafeBytes { bytes.append($0) }
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Data {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .data(let data) = value else { throw value.mismatch(Self.self) }
        return data
    }
}

/// Stored as its text. A relative URL is stored resolved against its base.
extension URL: Storable {
    public static var fieldType: FieldType { .url }

    public func encodeField(into record: inout RecordEncoder) throws { try absoluteString.encodeField(into: &record) }

    public static func decodeField(from record: inout RecordDecoder) throws -> URL {
        let string = try String.decodeField(from: &record)
        guard let url = URL(string: string) else { throw DecodingFault.unfit(reason: "'\(string)' is not a URL") }
        return url
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .url)
        let string = absoluteString
        bytes.append(varint: UInt64(string.utf8.count))
        bytes.append(utf8: string)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> URL {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .url(let url) = value else { throw value.mismatch(Self.self) }
        return url
    }
}

/// Stored as the bits of its seconds since 2001-01-01, so that it comes back exactly.
extension Date: Storable {
    public static var fieldType: FieldType { .date }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws {
        record.appendFixed(timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> Date {
        Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(littleEndian: try record.fixed())))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .date)
        bytes.append(timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Date {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .date(let date) = value else { throw value.mismatch(Self.self) }
        return date
    }
}

extension UUID: Storable {
    public static var fieldType: FieldType { .uuid }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(uuid) }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> UUID { UUID(uuid: try record.fixed(uuid_t.self)) }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .uuid)
        bytes.append(uuid)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> UUID {
        guard try bytes.take(tag: .uuid) else { throw try StoredValue.decodeNested(from: &bytes).mismatch(Self.self) }
        return UUID(uuid: try bytes.load())
    }
}

extension ObjectID: Storable {
    public static var fieldType: FieldType { .objectID }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws {
        record.appendFixed(high.bigEndian)
        record.appendFixed(low.bigEndian)
    }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> ObjectID {
        ObjectID(high: UInt64(bigEndian: try record.fixed()), low: UInt64(bigEndian: try record.fixed()))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .objectID)
        bytes.append(high.bigEndian)
        bytes.append(low.bigEndian)
    }

    // Lists of references are long: the loop over them is compiled where the application is, with this in it.
    @inlinable
    public static func decodeNested(from bytes: inout ByteReader) throws -> ObjectID {
        guard let halves = bytes.take(SIMD2<UInt64>.self, tagged: nestedTag) else { throw mismatch(in: &bytes) }
        return ObjectID(high: UInt64(bigEndian: halves[0]), low: UInt64(bigEndian: halves[1]))
    }

    /// As ``NestedTag/objectID``, which inlined code cannot name.
    @inlinable static var nestedTag: UInt8 { 0x0D }

    /// Why the next nested value is no id.
    @usableFromInline static func mismatch(in bytes: inout ByteReader) -> any Error {
        do {
            return try StoredValue.decodeNested(from: &bytes).mismatch(Self.self)
        } catch {
            return error
        }
    }
}

/// Stored as 18 bytes: sign or NaN, power of ten, mantissa; exact for every decimal.
extension Decimal: Storable {
    public static var fieldType: FieldType { .decimal }

    public func encodeField(into record: inout RecordEncoder) throws {
        let packed = PackedDecimal(self)
        record.appendFixed(packed.kind)
        record.appendFixed(packed.exponent)
        record.appendFixed(packed.mantissa.littleEndian)
    }

    public static func decodeField(from record: inout RecordDecoder) throws -> Decimal {
        let packed = PackedDecimal(
            kind: try record.fixed(), exponent: try record.fixed(), mantissa: UInt128(littleEndian: try record.fixed()))
        guard let decimal = packed.decimal else { throw DecodingFault.damaged("bad bytes of a decimal") }
        return decimal
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        let packed = PackedDecimal(self)
        bytes.append(tag: .decimal)
        bytes.append(packed.kind)
        bytes.append(packed.exponent)
        bytes.append(packed.mantissa.littleEndian)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Decimal {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .decimal(let decimal) = value else { throw value.mismatch(Self.self) }
        return decimal
    }
}
