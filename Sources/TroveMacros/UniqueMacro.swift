import SwiftSyntax
import SwiftSyntaxMacros

/// `#Unique`: a declaration that `@Model` reads. It expands to nothing.
enum UniqueMacro: DeclarationMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !context.isDirectlyInsideModel {
            context.diagnose(.init(.misplacedUnique, "'#Unique' belongs directly inside the braces of a '@Model' struct", at: node))
        }
        return []
    }
}
