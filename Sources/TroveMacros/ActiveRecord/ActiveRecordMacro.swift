import SwiftSyntax
import SwiftSyntaxMacros

/// `@ActiveRecord`: the finders of a model's properties.
enum ActiveRecordMacro: LaidOutMacro, MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard declaration.is(StructDeclSyntax.self) || declaration.is(ClassDeclSyntax.self),
            !declaration.attributes.named("Model").isEmpty, let name = declaration.asProtocol(NamedDeclSyntax.self)?.name.text
        else {
            context.diagnose(.init(.misplacedMark, "'@ActiveRecord' belongs on a type that has '@Model'", at: node))
            return []
        }
        let access = ModelParser(context).access(of: declaration.modifiers)
        let properties = declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.flatMap {
            FoundProperty.all(of: $0, of: name, in: access)
        }
        let finders = ["/// The finders of `\(name)`."]
            + SourceLines.block(
                "\(access)nonisolated struct Finders: TroveActiveRecord.ObjectFinder",
                SourceLines([["\(access)typealias Object = \(name)"]] + functions(of: name, properties)))
        return [
            """
            /// Finds objects by id, `find(id)`, and by the values of their properties.
            \(raw: access)nonisolated static var find: Finders { Finders() }
            """,
            DeclSyntax(stringLiteral: finders.source),
        ]
    }

    /// Two finders for each property, in two forms, of which the second blocks no thread of Swift's.
    private static func functions(of model: String, _ properties: [FoundProperty]) -> [SourceLines] {
        properties.flatMap { property in
            let access = property.access
            let (all, first) = ("by\(property.title)".asIdentifier, "firstBy\(property.title)".asIdentifier)
            return [("throws", "try"), ("async throws", "try await")].flatMap { effects, call -> [SourceLines] in
                [
                    ["\(access)func \(all)(_ value: \(property.type)) \(effects) -> [\(model)] { \(call) by(\\.\(property.codeName), value) }"],
                    ["\(access)func \(first)(_ value: \(property.type)) \(effects) -> \(model)? { \(call) first(by: \\.\(property.codeName), value) }"],
                ]
            }
        }
    }
}
