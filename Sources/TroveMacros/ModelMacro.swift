import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: the conformance of a struct to `Trove.Model`.
///
/// Both roles parse the declaration anew, because the compiler expands them apart. Only the extension role
/// reports what is wrong, so that nothing is said twice: the compiler skips the member role of types, such as enums of
/// nothing but cases, where it has no use for more members.
enum ModelMacro {}

extension ModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        var parser = ModelParser(lexicalContext: context.lexicalContext)
        return parser.parse(node, attachedTo: declaration)?.members.map { DeclSyntax(stringLiteral: $0) } ?? []
    }
}

extension ModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        var parser = ModelParser(lexicalContext: context.lexicalContext)
        guard let model = parser.parse(node, attachedTo: declaration) else {
            for diagnostic in parser.diagnostics {
                context.diagnose(diagnostic)
            }
            return []
        }
        // No protocols means that the struct states the conformance itself.
        let source = model.conformance(of: type.trimmedDescription, isStated: protocols.isEmpty)
        return [try ExtensionDeclSyntax("\(raw: source)")]
    }
}
