import SwiftSyntax

extension TypeSyntax {
    /// Whether it is written as a collection of objects or of references.
    var isCollection: Bool {
        if self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) { return true }
        let name = self.as(IdentifierTypeSyntax.self)?.name ?? self.as(MemberTypeSyntax.self)?.name
        return ["Array", "Set", "Dictionary", "ObjectList"].contains(name?.text)
    }

    /// The type of one object of a relationship that is written with `?` or as a collection.
    var relationshipTarget: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let array = self.as(ArrayTypeSyntax.self) { return array.element }
        if let dictionary = self.as(DictionaryTypeSyntax.self) { return dictionary.value }
        // Of the types with arguments, all that relationships have take the target last.
        let clause = self.as(IdentifierTypeSyntax.self)?.genericArgumentClause ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
        return clause?.arguments.last.flatMap { Syntax($0.argument).as(TypeSyntax.self) }
    }

    /// Whether it is written as references, or a collection of them.
    var isReferences: Bool {
        tokens(viewMode: .sourceAccurate).contains { ["Reference", "AnyReference"].contains($0.text) }
    }
}
