import Foundation

/// Nested values are self-describing, so they can be read without knowing their type.
extension StoredValue {
    func encodeNested(into bytes: inout ByteWriter) throws {
        switch self {
        case .null: bytes.append(tag: .null)
        case .bool(let value): try value.encodeNested(into: &bytes)
        case .int(let value): bytes.append(nested: value)
        case .uint(let value): try value.encodeNested(into: &bytes)
        case .float(let value): try value.encodeNested(into: &bytes)
        case .double(let value): try value.encodeNested(into: &bytes)
        case .decimal(let value): try value.encodeNested(into: &bytes)
        case .string(let value): bytes.append(nested: value)
        case .data(let value): try value.encodeNested(into: &bytes)
        case .url(let value): try value.encodeNested(into: &bytes)
        case .date(let value): try value.encodeNested(into: &bytes)
        case .uuid(let value): try value.encodeNested(into: &bytes)
        case .objectID(let value): try value.encodeNested(into: &bytes)
        case .array(let values):
            try bytes.container(.array, count: values.count) { bytes in
                for value in values { try value.encodeNested(into: &bytes) }
            }
        case .object(let values):
            try bytes.object(values) { value, bytes in try value.encodeNested(into: &bytes) }
        case .dictionary(let values):
            let depth = bytes.depth
            let entries = try values.map { (key: try $0.key.nestedBytes(depth: depth + 1), value: $0.value) }
            try bytes.container(.dictionary, count: values.count) { bytes in
                for entry in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                    entry.key.withUnsafeBytes { bytes.append($0) }
                    try entry.value.encodeNested(into: &bytes)
                }
            }
        }
    }

    func nestedBytes(depth: Int) throws -> [UInt8] {
        var bytes = ByteWriter(capacity: 64)
        bytes.depth = depth
        try encodeNested(into: &bytes)
        return bytes.bytes()
    }

    static func decodeNested(from bytes: inout ByteReader) throws -> StoredValue {
        let byte = try bytes.load(UInt8.self)
        if byte >= NestedTag.shortString {
            guard byte < 0x80 else { throw TroveError.corruptValue(reason: "unknown tag \(byte)") }
            return .string(try bytes.string(count: Int(byte & 0x3F)))
        }
        if byte >= NestedTag.smallInt { return .int(Int64(byte & 0x1F)) }
        guard let tag = NestedTag(rawValue: byte) else { throw TroveError.corruptValue(reason: "unknown tag \(byte)") }
        switch tag {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .int:
            let zigzag = try bytes.varint()
            return .int(Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1))
        case .uint:
            let value = try bytes.varint()
            return Int64(exactly: value).map { .int($0) } ?? .uint(value)
        case .float: return .float(Float(bitPattern: try bytes.integer()))
        case .double: return .double(Double(bitPattern: try bytes.integer()))
        case .decimal:
            let packed = PackedDecimal(kind: try bytes.load(), exponent: try bytes.load(), mantissa: try bytes.integer())
            guard let decimal = packed.decimal else { throw TroveError.corruptValue(reason: "bad bytes of a decimal") }
            return .decimal(decimal)
        case .string: return .string(try bytes.string(count: try bytes.count()))
        case .data: return .data(try bytes.take(try bytes.count()) { Data($0) })
        case .url:
            let string = try bytes.string(count: try bytes.count())
            guard let url = URL(string: string) else { throw TroveError.corruptValue(reason: "'\(string)' is not a URL") }
            return .url(url)
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: try bytes.integer())))
        case .uuid: return .uuid(UUID(uuid: try bytes.load()))
        case .objectID:
            return .objectID(ObjectID(high: UInt64(bigEndian: try bytes.load()), low: UInt64(bigEndian: try bytes.load())))
        case .array:
            return try bytes.containerBody { bytes, count in
                var values: [StoredValue] = []
                values.reserveCapacity(min(count, 1_024))  // Forged bytes may tell any count.
                for _ in 0..<count { values.append(try decodeNested(from: &bytes)) }
                return .array(values)
            }
        case .object:
            return try bytes.containerBody { bytes, count in
                var values = [String: StoredValue](minimumCapacity: min(count, 1_024))
                for _ in 0..<count { values[try bytes.name()] = try decodeNested(from: &bytes) }
                return .object(values)
            }
        case .dictionary:
            return try bytes.containerBody { bytes, count in
                var values = [StoredValue: StoredValue](minimumCapacity: min(count, 1_024))
                for _ in 0..<count {
                    let key = try decodeNested(from: &bytes)
                    values[key] = try decodeNested(from: &bytes)
                }
                return .dictionary(values)
            }
        }
    }
}
