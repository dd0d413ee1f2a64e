import SwiftSyntax

/// An option in `@Attribute(…)`: `.unique`, `.indexed(ignoring: .diacritics)` or with its type before the dot.
struct AttributeOptionSyntax {
    static let indexes: Set = ["indexed", "unique", "fullText", "substring", "blind", "blindUnique"]

    let expression: ExprSyntax
    let name: String
    let arguments: [LabeledExprSyntax]

    /// nil for an expression of another form.
    init?(_ argument: LabeledExprSyntax) {
        expression = argument.expression
        let call = expression.as(FunctionCallExprSyntax.self)
        guard let member = (call?.calledExpression ?? expression).as(MemberAccessExprSyntax.self),
            [nil, "AttributeOption", "Trove.AttributeOption"].contains(member.base?.trimmedDescription)
        else { return nil }
        name = member.declName.baseName.text
        arguments = call.map { Array($0.arguments) } ?? []
    }

    /// Whether the option makes an index.
    var isIndex: Bool { Self.indexes.contains(name) }
}

extension AttributeSyntax {
    /// The options that make an index.
    var indexOptions: [AttributeOptionSyntax] {
        (arguments?.as(LabeledExprListSyntax.self) ?? []).compactMap(AttributeOptionSyntax.init).filter(\.isIndex)
    }
}

extension LabeledExprSyntax {
    /// The argument without its comma.
    var argumentDescription: String {
        (label.map { "\($0.text): " } ?? "") + expression.trimmedDescription
    }
}
