import SwiftSyntax
import SwiftSyntaxMacros

extension MacroExpansionContext {
    /// Whether the expansion is in the braces of a type that has `@Model`; on a wrong kind of type, `@Model` itself reports it.
    var isDirectlyInsideModel: Bool {
        guard let enclosing = lexicalContext.first?.asProtocol(WithAttributesSyntax.self) else { return false }
        return !enclosing.attributes.named("Model").isEmpty
    }
}
