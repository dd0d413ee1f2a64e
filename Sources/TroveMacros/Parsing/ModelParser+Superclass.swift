import SwiftSyntax

extension ModelParser {
    /// The model with the abstract one that it inherits, or nil when anything was reported.
    ///
    /// - Parameter protocols: those that the declaration does not conform to yet, as the compiler tells macros. All subclasses of an abstract model conform to
    ///   `AbstractModel`.
    mutating func parse(_ attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, missing protocols: [TypeSyntax]) -> ModelDeclaration? {
        guard var model = parse(attribute, attachedTo: declaration) else { return nil }
        model.superclass = protocols.names.contains("AbstractModel") ? nil : model.possibleSuperclass
        return checkInheritance(of: model) ? model : nil
    }

    /// Reports an id of a class that inherits one.
    private mutating func checkInheritance(of model: ModelDeclaration) -> Bool {
        guard let superclass = model.superclass else { return true }
        let message = "the id is that of '\(superclass)', which '\(model.modelName)' inherits; remove this"
        if let id = declaredProperties["id"] { report(.inheritedID, message, at: id.token) }
        if model.identity != nil, let identityDirective { report(.inheritedID, message, at: identityDirective) }
        return diagnostics.isEmpty
    }
}
