import SwiftSyntax

/// A stored property that has finders.
struct FoundProperty {
    /// The name in code, with the backticks of a reserved word.
    let codeName: String
    /// The name as it stands in those of its finders.
    let title: String
    /// The source of its type.
    let type: String
    /// Whether it is seen in its file or type alone.
    let isRestricted: Bool

    /// The stored properties of a declaration whose types its source tells.
    static func all(of variable: VariableDeclSyntax) -> [FoundProperty] {
        guard !variable.isTypeProperty, variable.attributes.named("Transient").isEmpty else { return [] }
        let isRestricted = variable.hasModifier(.private) || variable.hasModifier(.fileprivate)
        var types: [TypeSyntax?] = []
        for binding in variable.bindings.reversed() {
            // `var a, b: Int` types both.
            types.append(binding.typeAnnotation?.type ?? (binding.initializer == nil ? types.last ?? nil : nil))
        }
        return zip(variable.bindings, types.reversed()).compactMap { binding, type in
            guard binding.isStored, let token = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier, token.plainName != "id",
                let type = type?.portableDescription ?? binding.initializer?.value.tellingType
            else { return nil }
            let name = token.plainName
            return FoundProperty(
                codeName: token.text, title: name.prefix(1).uppercased() + name.dropFirst(), type: type, isRestricted: isRestricted)
        }
    }
}
