import Foundation

/// A stored value of any type, for programs that work without the model's Swift type.
public indirect enum StoredValue: Sendable, Hashable {
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
    case array([StoredValue])
    /// Values by name: a `Codable` value with keys, or a dictionary with string keys.
    case object([String: StoredValue])
    /// A dictionary with other keys.
    case dictionary([StoredValue: StoredValue])

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
                guard let next = values[String(step)] else { return nil }
                value = next
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
