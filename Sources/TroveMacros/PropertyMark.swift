import SwiftSyntax
import SwiftSyntaxMacros

/// An attribute that only means something on a property of a model, where `@Model` reads it. It expands to nothing.
protocol PropertyMark: PeerMacro {
    /// The attribute as users write it.
    static var name: String { get }
}

extension PropertyMark {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !declaration.is(VariableDeclSyntax.self) {
            context.diagnose(.init(.misplacedMark, "'\(name)' belongs on a property", at: node))
        } else if !context.isDirectlyInsideModel {
            context.diagnose(.init(.misplacedMark, "'\(name)' belongs on a property of a '@Model' struct", at: node))
        }
        return []
    }
}

/// `@Attribute`: how a property is stored and searched.
enum AttributeMacro: PropertyMark {
    static let name = "@Attribute"
}

/// `@Relationship`: what a property refers to.
enum RelationshipMacro: PropertyMark {
    static let name = "@Relationship"
}

/// `@Transient`: a property that is not stored.
enum TransientMacro: PropertyMark {
    static let name = "@Transient"
}
