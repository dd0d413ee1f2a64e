import SwiftSyntax

extension VariableDeclSyntax {
    func hasModifier(_ keyword: Keyword) -> Bool {
        modifiers.contains { $0.name.tokenKind == .keyword(keyword) }
    }

    var isTypeProperty: Bool {
        hasModifier(.static) || hasModifier(.class)
    }
}

extension PatternBindingSyntax {
    /// Whether the property has storage: it has no accessors, or only observers.
    var isStored: Bool {
        guard case .accessors(let accessors) = accessorBlock?.accessors else { return accessorBlock == nil }
        return accessors.allSatisfy { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    }

    /// The `init` accessor of a computed property, which makes it a parameter of the memberwise initializer.
    var initAccessor: AccessorDeclSyntax? {
        guard case .accessors(let accessors) = accessorBlock?.accessors else { return nil }
        return accessors.first { $0.accessorSpecifier.tokenKind == .keyword(.`init`) }
    }
}
