import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: the conformance of a struct to `Trove.Model`, of a class to `Trove.LiveModel`.
///
/// All roles parse the declaration anew, because the compiler expands them apart. Only the extension role
/// reports what is wrong, so that nothing is said twice: the compiler skips the member role of types, such as enums of
/// nothing but cases, where it has no use for more members.
enum ModelMacro: LaidOutMacro {}

extension ModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        var parser = ModelParser(context)
        return parser.parse(node, attachedTo: declaration, missing: protocols)?.members.map { DeclSyntax(stringLiteral: $0.source) } ?? []
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
        var parser = ModelParser(context)
        let parsed = parser.parse(node, attachedTo: declaration, missing: protocols)
        for diagnostic in parser.diagnostics { context.diagnose(diagnostic) }
        guard let model = parsed else { return [] }
        // A protocol is missing here when the type states the conformance itself.
        let missing = protocols.names
        let lines = switch model.kind {
        case .structure: model.structConformance(of: type.trimmedDescription, missing: missing)
        case .live: model.classConformance(of: type.trimmedDescription, missing: missing)
        }
        return [try ExtensionDeclSyntax("\(raw: (context.availability(of: declaration) + lines).source)")]
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
        var parser = ModelParser(context)
        return parser.accessors(of: member, in: declaration, node)
    }
}

extension ModelParser {
    /// The attribute that gives a stored property of a class its accessors.
    mutating func accessors(of member: some DeclSyntaxProtocol, in declaration: some DeclGroupSyntax, _ node: AttributeSyntax) -> [AttributeSyntax] {
        guard declaration.is(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self), !variable.isTypeProperty,
            let token = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier,
            let model = parse(node, attachedTo: declaration)
        else { return [] }
        let attribute: String
        if let position = model.fields.firstIndex(where: { $0.name == token.plainName }) {
            let field = model.fields[position]
            if field.isConstant { return [] }
            // Whether the type that may be a superclass is one is not known here.
            let place = model.possibleSuperclass == nil ? "\(position)" : "\(position), afterSuperclass: true"
            attribute = switch field.content {
            case .objects: "_LiveRelationship(\(place))"
            case .lazy: "_LiveLazyField(\(place))"
            case .value, .references: "_LiveField(\(place))"
            }
        } else if variable.isPlainTransient {
            attribute = "_LiveField"
        } else {
            return []
        }
        return ["@Trove.\(raw: attribute)"]
    }
}

extension [TypeSyntax] {
    /// The last names of the types: those of protocols that a declaration does not conform to yet.
    var names: Set<String> { Set(map { $0.trimmedDescription.split(separator: ".").last.map(String.init) ?? "" }) }
}
