import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@AbstractModel`: what models have in common. A class has properties that they inherit; of a protocol's properties a type is made that names them in
/// queries.
enum AbstractModelMacro: LaidOutMacro {}

extension AbstractModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self) else { return [] }
        var parser = ModelParser(context, isAbstract: true)
        return parser.parse(node, attachedTo: declaration, missing: protocols)?.members.map { DeclSyntax(stringLiteral: $0.source) } ?? []
    }
}

extension AbstractModelMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        var parser = ModelParser(context, isAbstract: true)
        return parser.accessors(of: member, in: declaration, node)
    }
}

extension AbstractModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        if declaration.is(ProtocolDeclSyntax.self) { return [] }
        var parser = ModelParser(context, isAbstract: true)
        var parsed: ModelDeclaration?
        if declaration.is(ClassDeclSyntax.self) {
            parsed = parser.parse(node, attachedTo: declaration, missing: protocols)
        } else {
            parser.reportKind(of: declaration)
        }
        for diagnostic in parser.diagnostics { context.diagnose(diagnostic) }
        guard let model = parsed else { return [] }
        let lines = context.availability(of: declaration) + model.abstractConformance(of: type.trimmedDescription, missing: protocols.names)
        return [try ExtensionDeclSyntax("\(raw: lines.source)")]
    }
}

extension AbstractModelMacro: PeerMacro {
    /// Beside a protocol `Named` the type `NamedModels`.
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let declaration = declaration.as(ProtocolDeclSyntax.self) else { return [] }
        let access = ModelParser(context).access(of: declaration.modifiers)
        return [DeclSyntax(stringLiteral: ProtocolDeclaration(declaration, access: access).models.source)]
    }
}
