/// A property of this type holds a value of any kind.
extension StoredValue: Storable {
    public static var fieldType: FieldType { .codable("StoredValue") }

    public func encodeField(into record: inout RecordEncoder) throws { try encodeVariable(into: &record) }

    public static func decodeField(from record: inout RecordDecoder) throws -> StoredValue { try decodeVariable(from: &record) }
}

/// Nested values are self-describing, so they can be read without knowing their type.
extension StoredValue {
    public func encodeNested(into bytes: inout ByteWriter) throws {
        switch self {
        case .array(let values):
            try bytes.container(.array, count: values.count) { bytes in
                for value in values.array { try value.encodeNested(into: &bytes) }
            }
        case .object(let values):
            try bytes.container(.object, count: values.count) { bytes in
                for (name, value) in values {
                    bytes.append(name: name)
                    try value.encodeNested(into: &bytes)
                }
            }
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
        default:
            if let scalar { try scalar.encodeNested(into: &bytes) } else { bytes.append(tag: .null) }
        }
    }

    /// Whether the two are stored as the same bytes.
    package func isIdentical(to other: StoredValue) -> Bool {
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

    public static func decodeNested(from bytes: inout ByteReader) throws -> StoredValue {
        try bytes.fieldValue().storedValue(depth: bytes.depth)
    }
}
