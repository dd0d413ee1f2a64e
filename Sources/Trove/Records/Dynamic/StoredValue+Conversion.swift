import Foundation

extension StoredValue {
    /// The value as a field of `type` keeps it, when nothing is lost by it.
    ///
    /// - Throws: `DecodingFault.unfit` when the type cannot hold the value.
    func converted(to type: FieldType) throws -> StoredValue {
        switch (type, self) {
        case (.optional, .null): return .null
        case (.optional(let wrapped), _): return try converted(to: wrapped)
        case (.codable, _): return self
        case (.bool, .bool), (.string, .string), (.data, .data), (.date, .date), (.uuid, .uuid), (.objectID, .objectID),
            (.url, .url), (.decimal, .decimal), (.float, .float), (.double, .double):
            return self
        case (.int8, .int(let value)) where Int8(exactly: value) != nil,
            (.int16, .int(let value)) where Int16(exactly: value) != nil,
            (.int32, .int(let value)) where Int32(exactly: value) != nil,
            (.uint8, .int(let value)) where UInt8(exactly: value) != nil,
            (.uint16, .int(let value)) where UInt16(exactly: value) != nil,
            (.uint32, .int(let value)) where UInt32(exactly: value) != nil,
            (.uint64, .int(let value)) where value >= 0:
            return self
        case (.int64, .int), (.uint64, .uint): return self
        case (.float, .int(let value)) where Float(exactly: value) != nil: return .float(Float(value))
        case (.double, .int(let value)) where Double(exactly: value) != nil: return .double(Double(value))
        case (.double, .float(let value)): return .double(Double(value))
        case (.decimal, .int(let value)): return .decimal(Decimal(value))
        case (.decimal, .uint(let value)): return .decimal(Decimal(value))
        case (.string, .url(let url)): return .string(url.absoluteString)
        case (.array(let element), .array(let values)), (.set(let element), .array(let values)):
            return .array(try values.map { try $0.converted(to: element) })
        case (.dictionary(.string, let value), .object(let values)):
            return .object(try values.mapValues { try $0.converted(to: value) })
        case (.dictionary(let key, let value), .dictionary(let values)):
            let pairs = try values.map { (try $0.key.converted(to: key), try $0.value.converted(to: value)) }
            return .dictionary(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
        default:
            throw DecodingFault.unfit(reason: "the \(kind) does not fit \(type)")
        }
    }
}

extension Storable {
    /// Makes a value of a stored one that has been converted to this type's ``fieldType``.
    @usableFromInline init(converting value: StoredValue) throws {
        var bytes = ByteWriter()
        try value.encodeNested(into: &bytes)
        self = try bytes.withBytes { span in
            try span.withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                return try Self.decodeNested(from: &reader)
            }
        }
    }
}
