import SwiftDiagnostics
import SwiftSyntax

extension ModelDeclaration {
    /// Notes the abstract model that is inherited. The compiler tells macros which protocols a declaration does not conform to yet, and all subclasses of
    /// an abstract model conform to `AbstractModel`.
    mutating func findSuperclass(missing protocols: [TypeSyntax]) {
        superclass = protocols.names.contains("AbstractModel") ? nil : possibleSuperclass
    }
}

extension ModelParser {
    /// What is wrong when a class that inherits an abstract model has an id of its own.
    func checkInheritance(of model: ModelDeclaration) -> Diagnostic? {
        guard let superclass = model.superclass else { return nil }
        let message = "the id is that of '\(superclass)', which '\(model.modelName)' inherits; remove this"
        if let id = declaredProperties["id"] { return Diagnostic(.inheritedID, message, at: id.token) }
        if model.identity != nil, let identityDirective { return Diagnostic(.inheritedID, message, at: identityDirective) }
        return nil
    }
}
