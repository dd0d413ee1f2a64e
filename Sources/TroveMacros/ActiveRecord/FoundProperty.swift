import SwiftSyntax

/// A stored property that has finders.
struct FoundProperty {
    /// The name in code, with the backticks of a reserved word.
    let codeName: String
    /// The name as it stands in those of its finders.
    let title: String
    /// The source of its type.
    let type: String
    /// The modifier of its finders, with a space after it, or nothing.
    let access: String

    /// The stored properties of a declaration whose types its source tells, but for private ones, whose types may be as private.
    ///
    /// - Parameters:
    ///   - model: the name of the model.
    ///   - access: that of the members of the model.
    static func all(of variable: VariableDeclSyntax, of model: String, in access: String) -> [FoundProperty] {
        guard !variable.isTypeProperty, variable.attributes.named("Transient").isEmpty, !variable.isReadable(to: .private) else { return [] }
        let access = variable.finderAccess(in: access)
        var types: [TypeSyntax?] = []
        for binding in variable.bindings.reversed() {
            // `var a, b: Int` types both.
            types.append(binding.typeAnnotation?.type ?? (binding.initializer == nil ? types.last ?? nil : nil))
        }
        return zip(variable.bindings, types.reversed()).compactMap { binding, type in
            guard binding.isStored, let token = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier, token.plainName != "id",
                let type = type?.portableDescription(insideOf: model) ?? binding.initializer?.value.tellingType
            else { return nil }
            let name = token.plainName
            return FoundProperty(
                codeName: token.text, title: name.prefix(1).uppercased() + name.dropFirst(), type: type, access: access)
        }
    }
}

extension VariableDeclSyntax {
    /// Whether this is the modifier of the property, and not of its setter.
    fileprivate func isReadable(to keyword: Keyword) -> Bool {
        modifiers.contains { $0.name.tokenKind == .keyword(keyword) && $0.detail == nil }
    }

    /// A finder is seen by those who see the property and the model: one of them may have a type that others do not see.
    fileprivate func finderAccess(in access: String) -> String {
        if isReadable(to: .fileprivate) { return "fileprivate " }
        if isReadable(to: .public) || isReadable(to: .open) { return access }
        return isReadable(to: .package) && !access.isEmpty ? "package " : ""
    }
}
