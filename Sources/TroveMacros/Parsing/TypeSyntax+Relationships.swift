import SwiftSyntax

extension TypeSyntax {
    /// Whether it is written as a collection of objects or of references.
    var isCollection: Bool {
        if self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) { return true }
        let name = self.as(IdentifierTypeSyntax.self)?.name ?? self.as(MemberTypeSyntax.self)?.name
        return ["Array", "Set", "Dictionary", "ObjectList"].contains(name?.text)
    }

    /// Whether it is written as references, or a collection of them.
    var isReferences: Bool {
        tokens(viewMode: .sourceAccurate).contains { ["Reference", "AnyReference"].contains($0.text) }
    }
}
