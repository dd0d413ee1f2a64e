import SwiftSyntax

/// One part of an index: a property, perhaps with a direction.
struct IndexElement {
    /// The part as written, `\.year` or `.descending(\.year)`.
    let source: String
    /// The part in words, `year descending`: equal for parts that are the same, however they are written.
    let meaning: String
    /// Whether it is a call such as `.descending(\.year)` and not a plain key path.
    let isKey: Bool
}

extension IndexElement {
    /// The part of an index of substrings, to which accents count or not as its arguments say; what only the compiler can tell is compared as it is written.
    func ignoringAccents(as arguments: some Sequence<LabeledExprSyntax>) -> IndexElement {
        guard let argument = arguments.first(where: { $0.label?.text == "ignoresDiacritics" }) else { return self }
        let literal = argument.expression.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind
        if literal == .keyword(.false) { return self }
        let phrase = literal == nil ? argument.argumentDescription : "ignoring accents"
        return IndexElement(source: source, meaning: "\(meaning) \(phrase)", isKey: isKey)
    }
}
