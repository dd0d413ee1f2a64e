/// Written as Swift types, which is also how the catalogue keeps them.
extension FieldType: CustomStringConvertible {
    public var description: String {
        switch self {
        case .optional(let wrapped): "\(wrapped)?"
        case .array(let element): "[\(element)]"
        case .set(let element): "Set<\(element)>"
        case .dictionary(let key, let value): "[\(key): \(value)]"
        case .codable(let name): "Codable<\(name)>"
        case .lazy(let type): "Lazy<\(type)>"
        default: scalar?.typeName ?? "?"
        }
    }

    /// The type of `Codable` values of a Swift type. Arrows in its name would be taken for its closing bracket.
    static func codable(named type: Any.Type) -> FieldType {
        .codable(String(describing: type).replacing("->", with: "→"))
    }

    /// Reads what ``description`` wrote; nil when it is something else.
    init?(_ description: String) {
        var text = Substring(description)
        guard let type = Self.parse(&text), text.isEmpty else { return nil }
        self = type
    }

    /// How deep types may nest, optional layers included: a bound on the stack that reading a forged one can take.
    private static let maxDepth = 64

    private static func parse(_ text: inout Substring, depth: Int = 0) -> FieldType? {
        guard depth < maxDepth, var type = parseBase(&text, depth: depth) else { return nil }
        var layers = depth
        while text.first == "?" {
            text.removeFirst()
            type = .optional(type)
            layers += 1
            guard layers < maxDepth else { return nil }
        }
        return type
    }

    private static func parseBase(_ text: inout Substring, depth: Int) -> FieldType? {
        if take("[", from: &text) {
            guard let first = parse(&text, depth: depth + 1) else { return nil }
            if take("]", from: &text) { return .array(first) }
            guard take(": ", from: &text), let value = parse(&text, depth: depth + 1), take("]", from: &text) else { return nil }
            return .dictionary(first, value)
        }
        if take("Set<", from: &text) {
            guard let element = parse(&text, depth: depth + 1), take(">", from: &text) else { return nil }
            return .set(element)
        }
        if take("Lazy<", from: &text) {
            guard let value = parse(&text, depth: depth + 1), take(">", from: &text) else { return nil }
            return .lazy(value)
        }
        if take("Codable<", from: &text) {
            var nesting = 1
            guard let end = text.indices.first(where: { index in
                nesting += text[index] == "<" ? 1 : text[index] == ">" ? -1 : 0
                return nesting == 0
            }) else { return nil }
            let name = String(text[..<end])
            text = text[text.index(after: end)...]
            return .codable(name)
        }
        let word = text.prefix { $0.isLetter || $0.isNumber }
        text = text[word.endIndex...]
        return ScalarTypes.all.first { $0.typeName == word }?.fieldType
    }

    private static func take(_ prefix: String, from text: inout Substring) -> Bool {
        guard text.hasPrefix(prefix) else { return false }
        text = text.dropFirst(prefix.count)
        return true
    }
}

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
        case .lazy(let type): "Lazy<\(type.shownInErrors)>"
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
