import SwiftSyntax

/// What `@AbstractModel` reads of a protocol.
struct ProtocolDeclaration {
    private let name: String
    private let access: String
    /// The names of its properties, with the backticks of reserved words.
    private let properties: [TokenSyntax]

    init(_ declaration: ProtocolDeclSyntax) {
        name = declaration.name.text
        access = declaration.modifiers.lazy.compactMap { modifier -> String? in
            guard case .keyword(let keyword) = modifier.name.tokenKind, [.public, .package, .fileprivate, .private].contains(keyword) else { return nil }
            return modifier.name.text + " "
        }.first ?? ""
        properties = declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.filter { !$0.isTypeProperty }
            .flatMap(\.bindings).compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }.filter { $0.plainName != "id" }
    }

    /// The type by which the models are fetched that conform to the protocol.
    var models: String {
        // What is private cannot be the witness of a protocol's requirement, `fileprivate` in the same file can.
        let memberAccess = ["private ", "fileprivate "].contains(access) ? "fileprivate " : access
        let list = properties.map { "(\\(any \(name)).\($0.text), \($0.plainName.literal))" }.joined(separator: ",\n")
        return """
            /// The models that are `\(name)`: `store.fetchConforming(to: \(name)Models.self)`.
            \(access)enum \(name)Models: Trove.ModelGroup {
            \(memberAccess)typealias Object = any \(name)

            \(memberAccess)nonisolated static var _properties: [(property: Swift.PartialKeyPath<any \(name)>, name: Swift.String)] {
            [\(list)]
            }

            \(memberAccess)nonisolated static func _includes(_ model: any Trove.Model.Type) -> Swift.Bool { model is any \(name).Type }
            }
            """
    }
}
