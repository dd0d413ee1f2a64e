import SwiftSyntax
import SwiftSyntaxMacros

/// `@Transient`: a mark that `@Model` reads. It expands to nothing.
enum TransientMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        PropertyMark("@Transient").checkPlace(of: node, on: declaration, in: context)
        return []
    }
}
