import SwiftSyntax

extension KeyPathExprSyntax {
    /// The names in `\.address?.city`, the first as its token; nil when there is a part that is not a property.
    var properties: (first: TokenSyntax, rest: [String])? {
        var tokens: [TokenSyntax] = []
        for component in components {
            switch component.component {
            case .property(let property): tokens.append(property.declName.baseName)
            case .optional: continue
            default: return nil
            }
        }
        return tokens.first.map { ($0, tokens.dropFirst().map(\.plainName)) }
    }

    /// Whether the root is the model, or left to the compiler.
    func begins(at subject: ModelSubject) -> Bool {
        root?.names(subject) ?? true
    }
}

extension TypeSyntax {
    /// Whether this is the name of the model, or `Self`.
    func names(_ subject: ModelSubject) -> Bool {
        let name = self.as(IdentifierTypeSyntax.self)?.name ?? self.as(MemberTypeSyntax.self)?.name
        return name?.text == "Self" || name?.plainName == subject.name.plainName
    }
}
