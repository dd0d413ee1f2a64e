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
                for value in values.array { try value.encodeNested(into: &bytes) }
            }
        case .object(let values):
            try bytes.object(values.dictionary) { value, bytes in try value.encodeNested(into: &bytes) }
        case .dictionary(let values):
            try bytes.checkDepth()
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

    /// Whether the two are stored as the same bytes.
    func isIdentical(to other: StoredValue) -> Bool {
        do {
            return try nestedBytes(depth: 0) == other.nestedBytes(depth: 0)
        } catch {
            // Values that cannot be stored have no bytes.
            return self == other
        }
    }

    func nestedBytes(depth: Int) throws -> [UInt8] {
        var bytes = ByteWriter(capacity: 64)
        bytes.depth = depth
        try encodeNested(into: &bytes)
        return bytes.bytes()
    }

    static func decodeNested(from bytes: inout ByteReader) throws -> StoredValue {
        try bytes.fieldValue().storedValue(depth: bytes.depth)
    }
}
