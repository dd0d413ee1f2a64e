import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`: a mark that `@Model` reads. It expands to nothing.
enum AttributeMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        PropertyMark("@Attribute").checkPlace(of: node, on: declaration, in: context)
        return []
    }
}
