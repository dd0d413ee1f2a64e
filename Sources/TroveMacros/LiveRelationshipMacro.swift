import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_LiveRelationship`: the accessors of a property of a class that gives objects, and the references it is kept in. `@Model` attaches it.
enum LiveRelationshipMacro: LaidOutMacro, AccessorMacro, PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = LiveProperty(declaration, node), let position = property.position else { return [] }
        let place = "self, \\.\(property.codeName), field: \(position)"
        let storage = "{ $0(&\(property.storageName)) }"
        return [
            property.initAccessor(storing: "Trove._RelationshipStorage(initialValue)"),
            "get { _$live.related(\(raw: place)) \(raw: storage) }",
            "set { _$live.relate(\(raw: place), to: newValue) \(raw: storage) }",
            """
            _modify {
                var edit = _$live.beginRelating(\(raw: place)) \(raw: storage)
                defer { _$live.endRelating(\(raw: place), &edit) \(raw: storage) }
                yield &edit.value
            }
            """,
        ]
    }

    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = LiveProperty(declaration, node), let type = property.binding.typeAnnotation?.type.portableDescription else { return [] }
        let value = property.binding.initializer?.value.argument ?? ""
        return ["nonisolated(unsafe) private var \(raw: property.storageName) = Trove._RelationshipStorage<\(raw: type)>(\(raw: value))"]
    }
}
