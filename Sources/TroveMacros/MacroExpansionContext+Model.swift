import SwiftSyntax
import SwiftSyntaxMacros

extension MacroExpansionContext {
    /// Whether the expansion is in the braces of a type that has `@Model` or `@AbstractModel`; on a wrong kind of type, that itself reports it.
    var isDirectlyInsideModel: Bool {
        guard let enclosing = lexicalContext.first?.asProtocol(WithAttributesSyntax.self) else { return false }
        return !enclosing.attributes.named("Model").isEmpty || !enclosing.attributes.named("AbstractModel").isEmpty
    }
}
