extension FieldType {
    /// The type as a program writes it, for messages: `Int`, not the `Int64` that is stored.
    var shownInErrors: String {
        switch self {
        case .int64: "Int"
        case .uint64: "UInt"
        case .optional(let wrapped): wrapped.shownInErrors + "?"
        case .array(let element): "[\(element.shownInErrors)]"
        case .set(let element): "Set<\(element.shownInErrors)>"
        case .dictionary(let key, let value): "[\(key.shownInErrors): \(value.shownInErrors)]"
        case .codable(let name): name
        default: description
        }
    }
}

extension String {
    /// The name of a type or kind after `a` or `an`, as it is spoken: `a URL`, `an Int`.
    var withArticle: String {
        let begins = first.map { "aeioAEIO".contains($0) } ?? false
        return (begins ? "an " : "a ") + self
    }
}
