import SwiftSyntax

/// The struct or class that `@Model` or `@AbstractModel` is attached to.
struct ModelSubject {
    enum Kind: String {
        case structure = "struct"
        case live = "class"
    }

    let kind: Kind
    /// `struct` or `class`, where diagnostics of the whole are placed.
    let keyword: TokenSyntax
    let name: TokenSyntax
    let attributes: AttributeListSyntax
    let modifiers: DeclModifierListSyntax
    let genericParameterClause: GenericParameterClauseSyntax?
    let inheritanceClause: InheritanceClauseSyntax?
    let memberBlock: MemberBlockSyntax

    /// nil for other kinds of declaration.
    init?(_ declaration: some DeclGroupSyntax) {
        memberBlock = declaration.memberBlock
        attributes = declaration.attributes
        modifiers = declaration.modifiers
        inheritanceClause = declaration.inheritanceClause
        if let structure = declaration.as(StructDeclSyntax.self) {
            kind = .structure
            keyword = structure.structKeyword
            name = structure.name
            genericParameterClause = structure.genericParameterClause
        } else if let type = declaration.as(ClassDeclSyntax.self) {
            kind = .live
            keyword = type.classKeyword
            name = type.name
            genericParameterClause = type.genericParameterClause
        } else {
            return nil
        }
    }

    /// Whether an initializer of `Decodable` is written by hand.
    var readsFromDecoder: Bool {
        memberBlock.members.contains { member in
            guard let parameter = member.decl.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.first else { return false }
            return parameter.firstName.text == "from" && parameter.type.trimmedDescription.hasSuffix("Decoder")
                && !parameter.type.trimmedDescription.contains("RecordDecoder")
        }
    }

    /// The kind as messages name it.
    var word: String { kind.rawValue }
}
