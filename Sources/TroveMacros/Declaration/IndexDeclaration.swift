/// One index that an attribute or a macro declares.
struct IndexDeclaration {
    enum Kind {
        case ordered, unique, fullText, substring, derived
    }

    let kind: Kind
    /// What it is made of; of a derived value its name.
    let parts: [IndexElement]
    /// The arguments after the parts, as written.
    var arguments: [String] = []
    /// The name the index is given, when it is.
    var name: String?
    /// The source of the function of a derived value, when it is written after the parentheses.
    var trailingClosure: String?

    /// Whether two indexes are one: of a kind, and of the same parts.
    func isSame(as other: IndexDeclaration) -> Bool {
        kind == other.kind && hasSameParts(as: other)
    }

    func hasSameParts(as other: IndexDeclaration) -> Bool {
        parts.map(\.meaning) == other.parts.map(\.meaning)
    }
}
