/// Values are written as Swift's are: `["name": "Ane", "tags": ["sea", "north"], "rating": 7]`.
extension StoredValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension StoredValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self = .int(Int64(value)) }
}

extension StoredValue: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension StoredValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension StoredValue: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: StoredValue...) { self = .array(elements) }
}

extension StoredValue: ExpressibleByDictionaryLiteral {
    /// Values by their names; when a name is there twice, the last value counts.
    public init(dictionaryLiteral elements: (String, StoredValue)...) {
        self = .object(elements)
    }
}

extension StoredValue: CustomStringConvertible {
    /// How deep a value is written; `…` stands for what is deeper.
    private static let maxDescribedDepth = 64

    /// The value as Swift code, to a depth that the stack allows.
    public var description: String { description(depth: 0) }

    private func description(depth: Int) -> String {
        switch self {
        case .string(let value): "string(\(value.debugDescription))"
        case .data(let value): "data(\(value.count) bytes)"
        case .url(let value): "url(\(value.absoluteString))"
        case .date(let value): "date(\(value.shownInErrors))"
        case .uuid(let value): "uuid(\(value))"
        case .objectID(let value): "objectID(\(value))"
        case .int(let value): "int(\(value))"
        case .uint(let value): "uint(\(value))"
        case .array(let values): "array([" + Self.joined(values.array, depth) { $0.description(depth: $1) } + "])"
        case .object(let fields):
            "object(["
                + Self.joined(fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }, depth) {
                    $0.key.debugDescription + ": " + $0.value.description(depth: $1)
                } + "])"
        case .dictionary(let pairs):
            "dictionary([" + Self.joined(Array(pairs), depth) { $0.key.description(depth: $1) + ": " + $0.value.description(depth: $1) } + "])"
        case .decimal(let value): "decimal(\(value))"
        // Not as the value describes itself: Foundation traps for a date that is not a number.
        default: scalar.map { "\(type(of: $0).typeName.lowercased())(\($0.shownInErrors))" } ?? "null"
        }
    }

    private static func joined<Part>(_ parts: [Part], _ depth: Int, _ text: (Part, Int) -> String) -> String {
        if depth == maxDescribedDepth, !parts.isEmpty { return "…" }
        return parts.map { text($0, depth + 1) }.joined(separator: ", ")
    }
}
