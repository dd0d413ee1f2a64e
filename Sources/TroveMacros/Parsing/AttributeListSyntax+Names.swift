import SwiftSyntax

extension AttributeListSyntax {
    /// The attributes written `@name` or `@Trove.name`.
    func named(_ name: String) -> [AttributeSyntax] {
        compactMap { element in
            guard case .attribute(let attribute) = element, attribute.troveName == name else { return nil }
            return attribute
        }
    }

    /// Where the declaration is available, as written: what is written for it outside of its braces says the same.
    var availability: SourceLines { named("available").map(\.trimmedDescription) }
}

extension AttributeSyntax {
    /// The attribute's name without a qualifying `Trove.`; nil when it belongs to another module or is not a plain name.
    var troveName: String? {
        if let name = attributeName.as(IdentifierTypeSyntax.self) { return name.name.text }
        guard let member = attributeName.as(MemberTypeSyntax.self), member.baseType.trimmedDescription == "Trove" else { return nil }
        return member.name.text
    }
}
