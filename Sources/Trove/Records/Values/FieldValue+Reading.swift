extension ByteReader {
    /// The next nested value, left where it lies. Of a container only the head is looked at.
    mutating func fieldValue() throws -> FieldValue {
        let byte = try load(UInt8.self)
        if byte >= NestedTag.shortString {
            guard byte < 0x80 else { throw TroveError.corruptValue(reason: "unknown tag \(byte)") }
            return .text(try bytes(Int(byte & 0x3F)))
        }
        if byte >= NestedTag.smallInt { return .int(Int64(byte & 0x1F)) }
        guard let tag = NestedTag(rawValue: byte) else { throw TroveError.corruptValue(reason: "unknown tag \(byte)") }
        switch tag {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .int:
            let zigzag = try varint()
            return .int(Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1))
        case .uint: return .integer(try varint())
        case .float: return .float(Float(bitPattern: try integer()))
        case .double: return .double(Double(bitPattern: try integer()))
        case .decimal: return .decimal(try PackedDecimal(kind: load(), exponent: load(), mantissa: integer()).checked())
        case .string: return .text(try bytes(try count()))
        case .url: return .url(try bytes(try count()))
        case .data: return .data(try bytes(try count()))
        case .date: return .date(Double(bitPattern: try integer()))
        case .uuid: return try wide(.uuid)
        case .objectID: return try wide(.objectID)
        case .largeInteger: return try largeInteger()
        case .wide:
            guard let valueClass = ValueClass(rawValue: try load()), valueClass.wideScalar != nil, valueClass != .uuid, valueClass != .objectID else {
                throw TroveError.corruptValue(reason: "bad class of a value")
            }
            return try wide(valueClass)
        case .array, .object, .dictionary:
            let (count, length) = try containerHead(tag)
            return .container(FieldContainer(tag: tag, count: count, bytes: try bytes(length)))
        }
    }

    private mutating func wide(_ valueClass: ValueClass) throws -> FieldValue {
        .wide(valueClass, high: UInt64(bigEndian: try load()), low: UInt64(bigEndian: try load()))
    }

    /// The next bytes, left where they lie.
    mutating func bytes(_ count: Int) throws -> UnsafeRawBufferPointer {
        try take(count) { $0 }
    }

    /// Passes over the next nested value and returns its bytes.
    mutating func nestedBytes() throws -> UnsafeRawBufferPointer {
        let start = position
        _ = try fieldValue()
        return bytesRead(from: start)
    }
}

extension PackedDecimal {
    /// - Throws: ``TroveError/corruptValue(reason:)`` when these are not the bytes of a decimal.
    func checked() throws -> PackedDecimal {
        guard kind <= 2 else { throw TroveError.corruptValue(reason: "bad bytes of a decimal") }
        return self
    }
}

extension FieldValue {
    /// The one nested value in `bytes`.
    init(nested bytes: UnsafeRawBufferPointer) throws {
        var reader = ByteReader(bytes)
        self = try reader.fieldValue()
    }
}
