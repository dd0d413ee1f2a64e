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
        let access = declaration.modifiers.lazy.compactMap { modifier -> String? in
            guard case .keyword(let keyword) = modifier.name.tokenKind, [.public, .package].contains(keyword) else { return nil }
            return modifier.name.text + " "
        }.first ?? ""
        let properties = declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.flatMap(FoundProperty.all)
        let finders = ["/// The finders of `\(name)`."]
            + SourceLines.block(
                "\(access)nonisolated struct Finders: Sendable",
                SourceLines([["private let finder = TroveActiveRecord.Finder<\(name)>()"]] + functions(of: name, properties, access)))
        return [
            """
            /// Finds objects by id, `find(id)`, and by the values of their properties.
            \(raw: access)nonisolated static var find: Finders { Finders() }
            """,
            DeclSyntax(stringLiteral: finders.source),
        ]
    }

    private static func functions(of model: String, _ properties: [FoundProperty], _ access: String) -> [SourceLines] {
        let general: [SourceLines] = [
            ["\(access)func callAsFunction(_ id: \(model).ID) throws -> \(model)? { try finder(id) }"],
            ["\(access)func callAsFunction(_ ids: some Sequence<\(model).ID>) throws -> [\(model)] { try finder(ids) }"],
            .block(
                "\(access)func by<Value>(_ property: KeyPath<\(model), Value> & Sendable, _ value: Value) throws -> [\(model)]",
                ["try finder.by(property, value)"]),
            .block(
                "\(access)func first<Value>(by property: KeyPath<\(model), Value> & Sendable, _ value: Value) throws -> \(model)?",
                ["try finder.first(by: property, value)"]),
        ]
        return general + properties.flatMap { property in
            // A finder must not be seen by more than its property is.
            let access = property.isRestricted ? "fileprivate " : access
            return [
                ["\(access)func \("by\(property.title)".asIdentifier)(_ value: \(property.type)) throws -> [\(model)] { try finder.by(\\.\(property.codeName), value) }"],
                ["\(access)func \("firstBy\(property.title)".asIdentifier)(_ value: \(property.type)) throws -> \(model)? "
                    + "{ try finder.first(by: \\.\(property.codeName), value) }"],
            ]
        }
    }
}
