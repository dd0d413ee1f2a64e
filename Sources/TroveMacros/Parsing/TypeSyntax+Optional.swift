import SwiftSyntax

extension TypeSyntax {
    /// Whether a `var` of this type starts as nil: the case for the short forms only.
    var hasImplicitNil: Bool {
        `is`(OptionalTypeSyntax.self) || `is`(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }

    /// Whether the type is written as an optional, in any form.
    var isOptional: Bool {
        if hasImplicitNil { return true }
        if let name = self.as(IdentifierTypeSyntax.self) { return name.name.text == "Optional" }
        if let member = self.as(MemberTypeSyntax.self) { return member.name.text == "Optional" }
        return false
    }

    /// The type's source, with `T!` as `T?`: a type that can stand anywhere.
    var portableDescription: String {
        guard let unwrapped = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return trimmedDescription }
        return unwrapped.wrappedType.trimmedDescription + "?"
    }

    /// The type of what a `Lazy<…>` has; nil for another type.
    var lazyValue: TypeSyntax? {
        if let name = self.as(IdentifierTypeSyntax.self) { return name.name.text == "Lazy" ? relationshipTarget : nil }
        guard let member = self.as(MemberTypeSyntax.self), member.name.text == "Lazy", member.baseType.trimmedDescription == "Trove" else { return nil }
        return relationshipTarget
    }
}
