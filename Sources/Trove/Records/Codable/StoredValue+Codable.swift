import Foundation

extension StoredValue {
    /// What `value` encodes itself to.
    ///
    /// Types with a stored form of their own (dates, UUIDs, decimals, data, URLs, object ids) keep it inside `Codable` values.
    init<Value: Encodable>(encoding value: Value) throws {
        let node = EncodedNode()
        do {
            try node.encode(value, path: [])
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
