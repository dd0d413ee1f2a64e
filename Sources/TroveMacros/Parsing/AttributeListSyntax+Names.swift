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

    /// The same for what is inside of its braces.
    var availabilityOfMembers: SourceLines { named("available").compactMap(\.withoutDeprecation) }
}

extension AttributeSyntax {
    /// The attribute's name without a qualifying `Trove.`; nil when it belongs to another module or is not a plain name.
    var troveName: String? {
        if let name = attributeName.as(IdentifierTypeSyntax.self) { return name.name.text }
        guard let member = attributeName.as(MemberTypeSyntax.self), member.baseType.trimmedDescription == "Trove" else { return nil }
        return member.name.text
    }

    /// An `@available` without what only warns those that name the declaration itself; nil when it says nothing else.
    fileprivate var withoutDeprecation: String? {
        guard case .availability(let arguments)? = arguments else { return nil }
        let kept = arguments.map(\.argument).filter { argument in
            switch argument {
            case .token(let word): word.text != "deprecated"
            case .availabilityLabeledArgument(let labeled): !["deprecated", "renamed", "message"].contains(labeled.label.text)
            case .availabilityVersionRestriction: true
            }
        }
        // A platform alone is no condition.
        if kept.count < arguments.count, kept.count < 2 { return nil }
        return "@available(\(kept.map(\.trimmedDescription).joined(separator: ", ")))"
    }
}
