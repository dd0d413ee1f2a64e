import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: the conformance of a struct to `Trove.Model`, of a class to `Trove.LiveModel`.
///
/// All roles parse the declaration anew, because the compiler expands them apart. Only the extension role
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
        // A protocol is missing here when the type states the conformance itself.
        let missing = Set(protocols.map { $0.trimmedDescription.split(separator: ".").last.map(String.init) ?? "" })
        let source = switch model.kind {
        case .structure: model.structConformance(of: type.trimmedDescription, missing: missing)
        case .live: model.classConformance(of: type.trimmedDescription, missing: missing)
        }
        return [try ExtensionDeclSyntax("\(raw: source)")]
    }
}

extension ModelMacro: MemberAttributeMacro {
    /// The stored properties of a class are given the accessors that take the lock.
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard declaration.is(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self), !variable.isTypeProperty,
            let token = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier
        else { return [] }
        var parser = ModelParser(lexicalContext: context.lexicalContext)
        guard let model = parser.parse(node, attachedTo: declaration) else { return [] }
        let attribute: String
        if let position = model.fields.firstIndex(where: { $0.name == token.plainName }) {
            if model.fields[position].isConstant { return [] }
            attribute = model.fields[position].content == .objects ? "_LiveRelationship(\(position))" : "_LiveField(\(position))"
        } else if variable.isPlainTransient {
            attribute = "_LiveField"
        } else {
            return []
        }
        return ["@Trove.\(raw: attribute)"]
    }
}
