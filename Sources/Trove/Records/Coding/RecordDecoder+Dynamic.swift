import Foundation

extension RecordDecoder {
    /// All values of the record, in the order of its layout.
    mutating func storedValues(_ layout: RecordLayout) throws -> [StoredValue] {
        try layout.fields.indices.map { try storedValue(at: $0) }
    }

    /// The value at a position of the record's own layout.
    mutating func storedValue(at position: Int) throws -> StoredValue {
        let type = try move(to: position)
        return try storedValue(type)
    }

    private mutating func storedValue(_ type: FieldType) throws -> StoredValue {
        switch type {
        case .optional(let wrapped): try isNil(wrapped) ? .null : storedValue(wrapped)
        case .bool: .bool(try .decodeField(from: &self))
        case .int8: .int(Int64(try Int8.decodeField(from: &self)))
        case .int16: .int(Int64(try Int16.decodeField(from: &self)))
        case .int32: .int(Int64(try Int32.decodeField(from: &self)))
        case .int64: .int(try .decodeField(from: &self))
        case .uint8: .int(Int64(try UInt8.decodeField(from: &self)))
        case .uint16: .int(Int64(try UInt16.decodeField(from: &self)))
        case .uint32: .int(Int64(try UInt32.decodeField(from: &self)))
        case .uint64: Self.unsigned(try .decodeField(from: &self))
        case .float: .float(try .decodeField(from: &self))
        case .double: .double(try .decodeField(from: &self))
        case .decimal: .decimal(try .decodeField(from: &self))
        case .string: .string(try .decodeField(from: &self))
        case .data: .data(try .decodeField(from: &self))
        case .url: .url(try .decodeField(from: &self))
        case .date: .date(try .decodeField(from: &self))
        case .uuid: .uuid(try .decodeField(from: &self))
        case .objectID: .objectID(try .decodeField(from: &self))
        case .array, .set, .dictionary, .codable: try storedContainer(type)
        }
    }

    private static func unsigned(_ value: UInt64) -> StoredValue {
        Int64(exactly: value).map { .int($0) } ?? .uint(value)
    }

    /// A nested value of this type; what is no such value could not be saved again.
    private mutating func storedContainer(_ type: FieldType) throws -> StoredValue {
        let value = try nested { bytes in try StoredValue.decodeNested(from: &bytes) }
        switch (type, value) {
        case (.array, .array), (.set, .array), (.dictionary, .object), (.dictionary, .dictionary), (.codable, _): return value
        default: throw DecodingFault.damaged("the \(value.kind) in it is not \(type.description.withArticle)")
        }
    }
}

extension RecordEncoder {
    /// Writes a value as the next field, of type `type`, which it has been converted to.
    mutating func encode(_ value: StoredValue, as type: FieldType) throws {
        switch (type, value) {
        case (.optional(let wrapped), .null): appendNil(wrapped)
        case (.optional(let wrapped), _):
            appendPresent()
            try encode(value, as: wrapped)
        case (.bool, .bool(let value)): try value.encodeField(into: &self)
        case (.int8, .int(let value)): try Int8(clamping: value).encodeField(into: &self)
        case (.int16, .int(let value)): try Int16(clamping: value).encodeField(into: &self)
        case (.int32, .int(let value)): try Int32(clamping: value).encodeField(into: &self)
        case (.int64, .int(let value)): try value.encodeField(into: &self)
        case (.uint8, .int(let value)): try UInt8(clamping: value).encodeField(into: &self)
        case (.uint16, .int(let value)): try UInt16(clamping: value).encodeField(into: &self)
        case (.uint32, .int(let value)): try UInt32(clamping: value).encodeField(into: &self)
        case (.uint64, .int(let value)): try UInt64(clamping: value).encodeField(into: &self)
        case (.uint64, .uint(let value)): try value.encodeField(into: &self)
        case (.float, .float(let value)): try value.encodeField(into: &self)
        case (.double, .double(let value)): try value.encodeField(into: &self)
        case (.decimal, .decimal(let value)): try value.encodeField(into: &self)
        case (.string, .string(let value)): try value.encodeField(into: &self)
        case (.data, .data(let value)): try value.encodeField(into: &self)
        case (.url, .url(let value)): try value.encodeField(into: &self)
        case (.date, .date(let value)): try value.encodeField(into: &self)
        case (.uuid, .uuid(let value)): try value.encodeField(into: &self)
        case (.objectID, .objectID(let value)): try value.encodeField(into: &self)
        case (.array, .array), (.dictionary, .object), (.dictionary, .dictionary), (.codable, _):
            try value.encodeNested(into: &bytes)
            endVariable()
        case (.set, .array(let values)):
            // A set's elements are stored in the order of their bytes.
            let sorted = try values.map { try $0.nestedBytes(depth: 1) }.sorted { $0.lexicographicallyPrecedes($1) }
            try bytes.container(.array, count: values.count) { bytes in
                for element in sorted { element.withUnsafeBytes { bytes.append($0) } }
            }
            endVariable()
        default:
            throw DecodingFault.unfit(reason: "the \(value.kind) does not fit \(type)")
        }
    }
}
