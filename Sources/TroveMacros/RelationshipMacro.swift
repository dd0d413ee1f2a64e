import SwiftSyntax
import SwiftSyntaxMacros

/// `@Relationship`: a mark that `@Model` reads. It expands to nothing.
enum RelationshipMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        PropertyMark("@Relationship").checkPlace(of: node, on: declaration, in: context)
        return []
    }
}
