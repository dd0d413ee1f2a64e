import SwiftSyntax

/// What `@AbstractModel` reads of a protocol.
struct ProtocolDeclaration {
    private let name: String
    /// The modifier of the protocol itself; one that an extension around it gives is given to the type beside it too.
    private let ownAccess: String
    /// The modifier that makes members as accessible as the protocol.
    private let memberAccess: String
    /// The names of its properties, with the backticks of reserved words.
    private let properties: [TokenSyntax]
    private let availability: SourceLines

    /// - Parameter access: what makes members as accessible as the protocol, which may have its access from an extension around it.
    init(_ declaration: ProtocolDeclSyntax, access: String) {
        availability = declaration.attributes.availability
        name = declaration.name.text
        let isPrivate = declaration.modifiers.contains { [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) }
        ownAccess = isPrivate ? "fileprivate " : declaration.modifiers.isEmpty ? "" : access
        memberAccess = isPrivate ? "fileprivate " : access
        properties = declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.filter { !$0.isTypeProperty }
            .flatMap(\.bindings).compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }
    }

    /// The type by which the models are fetched that conform to the protocol.
    var models: SourceLines {
        let members: [SourceLines] = [
            ["\(memberAccess)typealias Object = any \(name)"],
            .block(
                "\(memberAccess)nonisolated static var _properties: [(property: Swift.PartialKeyPath<any \(name)>, name: Swift.String)]",
                .list("", properties.map { "(\\(any \(name)).\($0.text), \($0.plainName.literal))" })),
            ["\(memberAccess)nonisolated static func _includes(_ model: any Trove.Model.Type) -> Swift.Bool { model is any \(name).Type }"],
        ]
        return ["/// The models that are `\(name)`: `store.fetchConforming(to: \(name)Models.self)`."] + availability
            + .block("\(ownAccess)enum \(name)Models: Trove.ModelGroup", SourceLines(members))
    }
}
