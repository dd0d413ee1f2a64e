import Foundation

extension Filter {
    /// The filter for people to read, near to criteria text.
    var explained: String {
        switch self {
        case .constant(let value): value ? "true" : "false"
        case .comparison(let left, let comparison, let right, let ignoringCase):
            "\(left.explained) \(comparison.rawValue) \(right.explained)" + Self.note(ignoringCase)
        case .membership(let operand, let values, let ignoringCase):
            "\(operand.explained) in (\(Self.list(values)))" + Self.note(ignoringCase)
        case .text(let left, let test, let right, let ignoringCase):
            "\(left.explained) \(test.rawValue) \(right.explained)" + Self.note(ignoringCase)
        case .matches(let operand, let pattern, let ignoringCase): "\(operand.explained) matches /\(pattern)/" + Self.note(ignoringCase)
        case .fullText(let query, let path): (path.map { "\($0) " } ?? "") + "has words '\(query)'"
        case .isNil(let path): "\(path) is nil"
        case .quantified(let quantifier, let path, let part, let inner): "\(quantifier.rawValue) \(part.rawValue) of \(path): \(inner.inParentheses)"
        case .isUnreferenced: "is unreferenced"
        case .hasDanglingReferences: "has dangling references"
        case .and(let filters): filters.map(\.inParentheses).joined(separator: " and ")
        case .or(let filters): filters.map(\.inParentheses).joined(separator: " or ")
        case .not(.isNil(let path)): "\(path) is not nil"
        case .not(let inner): "not \(inner.inParentheses)"
        }
    }

    private var inParentheses: String {
        switch self {
        case .and, .or: "(\(explained))"
        default: explained
        }
    }

    private static func note(_ ignoringCase: Bool) -> String { ignoringCase ? " ignoring case" : "" }

    private static func list(_ values: [StoredValue]) -> String {
        let first = values.prefix(4).map(\.explained).joined(separator: ", ")
        return values.count > 4 ? first + ", … \(values.count) values" : first
    }
}

extension Operand {
    fileprivate var explained: String {
        switch self {
        case .path(let path): path.description
        case .value(let value): value.explained
        }
    }
}

extension StoredValue {
    /// The value for people to read, cut when it is long.
    fileprivate var explained: String {
        switch self {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .uint(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): "'" + (value.count > 40 ? value.prefix(40) + "…" : value) + "'"
        case .url(let value): "'\(value.absoluteString.prefix(60))'"
        case .date(let value): value.formatted(.iso8601)
        case .uuid(let value): value.uuidString
        case .objectID(let value): "\(value)"
        case .data(let value): "\(value.count) bytes"
        case .array, .object, .dictionary: kind
        }
    }
}
