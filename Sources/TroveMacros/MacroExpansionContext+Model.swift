import SwiftSyntax
import SwiftSyntaxMacros

extension MacroExpansionContext {
    /// Whether the expansion is in the braces of a type that has `@Model` or `@AbstractModel`; on a wrong kind of type, that itself reports it.
    var isDirectlyInsideModel: Bool {
        guard let enclosing = lexicalContext.first?.asProtocol(WithAttributesSyntax.self) else { return false }
        return !enclosing.attributes.named("Model").isEmpty || !enclosing.attributes.named("AbstractModel").isEmpty
    }

    /// Where a type is available that is declared here: where it says so itself, and all that encloses it.
    func availability(of type: some DeclGroupSyntax) -> SourceLines {
        let enclosing = lexicalContext.compactMap { $0.asProtocol(WithAttributesSyntax.self) }
        return type.attributes.availability + enclosing.flatMap(\.attributes.availabilityOfMembers)
    }
}
