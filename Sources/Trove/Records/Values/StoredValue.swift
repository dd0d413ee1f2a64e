import Foundation

/// A stored value of any type, for programs that work without the model's Swift type.
///
/// It is made as Swift's values are, `.array([.int(1), .object(["name": .string("x")])])`. A value of any depth is compared, hashed, described and freed
/// without one call inside the other; 256 levels can be stored.
public enum StoredValue: Sendable, Hashable {
    /// No value, as of a property that is nil.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// Every integer that fits.
    case int(Int64)
    /// An integer above `Int64.max`.
    case uint(UInt64)
    /// An integer beyond 64 bits.
    case int128(Int128)
    /// An integer above `Int128.max`.
    case uint128(UInt128)
    /// A number of 32 bits with fractions.
    case float(Float)
    /// A number of 64 bits with fractions.
    case double(Double)
    /// A decimal number.
    case decimal(Decimal)
    /// A text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A URL.
    case url(URL)
    /// A moment.
    case date(Date)
    /// A length of time.
    case duration(Duration)
    /// A UUID.
    case uuid(UUID)
    /// An id that Trove made.
    case objectID(ObjectID)
    /// A point on the Earth's surface.
    case geoPoint(GeoPoint)
    /// An array or a set.
    case array(Branches<StoredValue>)
    /// Values by their names: a `Codable` value with keys, or a dictionary with keys that are stored as texts.
    case object(StoredFields)
    /// A dictionary whose keys are not names.
    case dictionary(StoredPairs)

    /// The value at a path of names and positions, written as ``DocumentPath`` reads it, such as `address.city` or `lines[0]`; nil when there is none.
    ///
    /// ```swift
    /// record["address"]?.value(at: "city")
    /// ```
    public func value(at path: String) -> StoredValue? {
        var value = self
        for step in DocumentPath(path).names {
            switch value {
            case .object(let values):
                // As queries find it: by its bytes.
                guard let place = values.index(of: step), values[place].key.hasBytes(of: step) else { return nil }
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
        case .int(let value): "integer \(value)"
        case .uint(let value): "integer \(value)"
        case .int128(let value): "integer \(value)"
        case .uint128(let value): "integer \(value)"
        case .array: "array"
        case .object: "keyed value"
        case .dictionary: "dictionary"
        default: scalar.map { type(of: $0).typeName } ?? ""
        }
    }
}

extension StoredValue {
    /// The value as messages show it.
    package var shownInErrors: String { shownInErrors(depth: 0) }

    /// - Parameter depth: how many arrays it is shown in, of which few fit in a message: values may nest deeper than the stack allows.
    private func shownInErrors(depth: Int) -> String {
        let text =
            switch self {
            case .array where depth == 3: "[…]"
            case .array(let values):
                "[" + values.prefix(8).map { $0.shownInErrors(depth: depth + 1) }.joined(separator: ", ") + (values.count > 8 ? ", …]" : "]")
            case .object(let values): "\(values.count) named values"
            case .dictionary(let values): "\(values.count) keys"
            default: scalar?.shownInErrors ?? "nil"
            }
        return String(text.prefix(80))
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
            let limit = EncodingLimit()
            try node.encode(value, path: [], calls: 0, limit)
            try limit.check(value)
        } catch EncodingError.invalidValue(_, let context) {
            let path = context.codingPath.count < 16 ? context.codingPath.map(\.stringValue).joined(separator: ".") : ""
            throw DecodingFault.unfit(reason: path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)")
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
        let type = type(of: value)
        guard let stored = ScalarTypes.keptInCodable.first(where: { $0 == type })?.storedValue(of: value) else { return nil }
        self = stored
    }
}

extension DecodingError {
    /// The error in one sentence, with the path to the value.
    fileprivate var reason: String {
        let (context, what): (Context, String) =
            switch self {
            case .typeMismatch(let type, let context): (context, "not a \(type): \(context.debugDescription)")
            case .valueNotFound(let type, let context): (context, "no \(type): \(context.debugDescription)")
            case .keyNotFound(let key, let context): (context, "no value for '\(key.stringValue)'; make it optional in its type, or store a value that has it")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (Context(codingPath: [], debugDescription: ""), "\(self)")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? what : "\(path): \(what)"
    }
}
