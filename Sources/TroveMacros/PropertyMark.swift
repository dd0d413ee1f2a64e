import SwiftSyntax
import SwiftSyntaxMacros

/// An attribute that only means something on a property of a model.
struct PropertyMark {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    /// Reports the attribute where `@Model` would not read it.
    func checkPlace(of node: AttributeSyntax, on declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext) {
        if !declaration.is(VariableDeclSyntax.self) {
            context.diagnose(.init(.misplacedMark, "'\(name)' belongs on a property", at: node))
        } else if !context.isDirectlyInsideModel {
            context.diagnose(.init(.misplacedMark, "'\(name)' belongs on a property of a '@Model' struct", at: node))
        }
    }
}
