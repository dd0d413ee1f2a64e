import SwiftSyntax
import SwiftSyntaxMacros

/// A declaration macro that `@Model` reads from the braces of its struct. It expands to nothing.
protocol ModelDirective: DeclarationMacro {
    /// The macro as users write it.
    static var name: String { get }
}

extension ModelDirective {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !context.isDirectlyInsideModel {
            context.diagnose(.init(.misplacedDirective, "'\(name)' belongs directly inside the braces of a '@Model' struct", at: node))
        }
        return []
    }
}
