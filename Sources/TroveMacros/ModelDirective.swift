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

/// `#Unique`: identities and unique indexes.
enum UniqueMacro: ModelDirective {
    static let name = "#Unique"
}

/// `#Index`: indexes by order.
enum IndexMacro: ModelDirective {
    static let name = "#Index"
}

/// `#FullText`: indexes of words.
enum FullTextMacro: ModelDirective {
    static let name = "#FullText"
}

/// `#Substring`: indexes of parts of texts.
enum SubstringMacro: ModelDirective {
    static let name = "#Substring"
}
