import SwiftSyntax
import SwiftSyntaxBuilder

/// A property of a class that accessors are written for.
struct LiveProperty {
    let binding: PatternBindingSyntax
    /// The name in code, with the backticks of a reserved word.
    let codeName: String
    /// The name of the property it is kept in.
    let storageName: String
    /// The name of the function that gives the default value of a lazy one.
    let defaultName: String
    /// The source of the position of its field; nil when it is not stored.
    let position: String?

    /// nil for what is no single variable, which `@Model` has reported.
    init?(_ declaration: some DeclSyntaxProtocol, _ attribute: AttributeSyntax) {
        guard let variable = declaration.as(VariableDeclSyntax.self), variable.bindings.count == 1, let binding = variable.bindings.first,
            let token = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
        else { return nil }
        self.binding = binding
        codeName = token.text
        storageName = "_\(token.plainName)".asIdentifier
        defaultName = token.plainName.isWord ? "_$default_\(token.plainName)" : "`_$default_\(token.plainName)`"
        let arguments = attribute.arguments?.as(LabeledExprListSyntax.self)
        let number = arguments?.first?.expression.as(IntegerLiteralExprSyntax.self)?.literal.text
        position = number.map { arguments?.count == 1 ? $0 : "Self._$firstField &+ \($0)" }
    }

    /// The accessor that lets initializers assign the property.
    func initAccessor(storing value: String) -> AccessorDeclSyntax {
        """
        @storageRestrictions(initializes: \(raw: storageName))
        init(initialValue) {
            \(raw: storageName) = \(raw: value)
        }
        """
    }
}
