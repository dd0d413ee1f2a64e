extension DecodingError {
    /// What is wrong with a row, in words that name the field.
    var reason: String {
        switch self {
        case .keyNotFound(let key, _):
            "the row has no '\(key.stringValue)'"
        case .valueNotFound(_, let context):
            "\(Self.place(context)) is null"
        case .typeMismatch(let type, let context) where context.codingPath.isEmpty:
            type == [String: Any].self ? "the row is not a JSON object" : "the row is not a \(type)"
        case .typeMismatch(let type, let context):
            "\(Self.place(context)) is not \(Self.name(of: type))"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "this is not JSON"
        case .dataCorrupted(let context):
            "\(Self.place(context)) has a value that does not fit: \(context.debugDescription)"
        @unknown default:
            String(describing: self)
        }
    }

    private static func place(_ context: Context) -> String {
        let names = context.codingPath.map { $0.intValue.map { "element \($0)" } ?? "'\($0.stringValue)'" }
        return names.isEmpty ? "the row" : names.joined(separator: ", ")
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Double.Type: "a number"
        case is [Any].Type: "an array"
        default: "a \(type)"
        }
    }
}
