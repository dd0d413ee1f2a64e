import Foundation

/// A stored value of any type, for programs that work without the model's Swift type.
///
/// It is made as Swift's values are, `.array([.int(1), .object(["name": .string("x")])])`. A value of any depth is compared, hashed, described and freed
/// without one call inside the other; 256 levels can be stored.
public enum StoredValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// Every integer that fits.
    case int(Int64)
    /// An integer above `Int64.max`.
    case uint(UInt64)
    case float(Float)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case data(Data)
    case url(URL)
    case date(Date)
    case uuid(UUID)
    case objectID(ObjectID)
    /// An array or a set.
    case array(Branches<StoredValue>)
    /// Values by name: a `Codable` value with keys, or a dictionary with string keys.
    case object(StoredFields)
    /// A dictionary with other keys.
    case dictionary(StoredPairs)

    /// The value that one reaches by these names and positions, as in `address.city` or `lines.0`; nil when there is none.
    ///
    /// ```swift
    /// record["address"]?.value(at: "city")
    /// ```
    public func value(at path: String) -> StoredValue? {
        var value = self
        for step in path.split(separator: ".", omittingEmptySubsequences: false) {
            switch value {
            case .object(let values):
                // As queries find it: by its bytes.
                guard let place = values.index(of: String(step)), values[place].key.utf8.elementsEqual(step.utf8) else { return nil }
                value = values[place].value
            case .array(let elements):
                guard let position = Int(step), elements.indices.contains(position) else { return nil }
                value = elements[position]
            default:
                return nil
            }
        }
        return value
    }

    /// The error for a value that is not of type `type`.
    func mismatch<Value>(_ type: Value.Type) -> DecodingFault {
        .unfit(reason: "the stored \(kind) is not \(String(describing: type).withArticle)")
    }

    /// The value's kind in one word, for messages.
    var kind: String {
        switch self {
        case .null: "nil"
        case .bool: "Bool"
        case .int(let value): "integer \(value)"
        case .uint(let value): "integer \(value)"
        case .float: "Float"
        case .double: "Double"
        case .decimal: "Decimal"
        case .string: "String"
        case .data: "Data"
        case .url: "URL"
        case .date: "Date"
        case .uuid: "UUID"
        case .objectID: "ObjectID"
        case .array: "array"
        case .object: "keyed value"
        case .dictionary: "dictionary"
        }
    }
}

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
            return .object(try values.dictionary.mapValues { try $0.converted(to: value) })
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

extension StoredValue {
    /// How many values `Codable` may encode or decode inside of each other: those that stand for one other value take no level of their own, but
    /// the stack all the same.
    static let maxCodingCalls = 2 * NestedTag.maxDepth

    /// What `value` encodes itself to.
    ///
    /// Types with a stored form of their own (dates, UUIDs, decimals, data, URLs, object ids) keep it inside `Codable` values.
    init<Value: Encodable>(encoding value: Value) throws {
        let node = EncodedNode()
        do {
            try node.encode(value, path: [], calls: 0)
        } catch EncodingError.invalidValue(_, let context) {
            throw DecodingFault.unfit(reason: context.debugDescription)
        }
        self = node.storedValue
    }

    /// The value that decodes itself from this one.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        do {
            return try StoredValueDecoder(self, path: []).decode(type)
        } catch let error as DecodingError {
            throw DecodingFault.unfit(reason: error.reason)
        }
    }

    /// The stored form of a value that has one of its own.
    init?(leaf value: any Encodable) {
        switch value {
        case let value as Date: self = .date(value)
        case let value as UUID: self = .uuid(value)
        case let value as Decimal: self = .decimal(value)
        case let value as Data: self = .data(value)
        case let value as URL: self = .url(value)
        case let value as ObjectID: self = .objectID(value)
        default: return nil
        }
    }
}

extension DecodingError {
    /// The error in one sentence, with the path to the value.
    fileprivate var reason: String {
        let (context, what): (Context, String) =
            switch self {
            case .typeMismatch(let type, let context): (context, "not a \(type): \(context.debugDescription)")
            case .valueNotFound(let type, let context): (context, "no \(type): \(context.debugDescription)")
            case .keyNotFound(let key, let context): (context, "no value for '\(key.stringValue)'")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (Context(codingPath: [], debugDescription: ""), "\(self)")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? what : "\(path): \(what)"
    }
}
