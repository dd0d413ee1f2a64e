import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Reads `@Relationship(…)`, if the property has it.
    mutating func parseRelationship(of property: DeclaredProperty, in variable: VariableDeclSyntax, into stored: inout StoredProperty) {
        let attributes = variable.attributes.named("Relationship")
        guard let attribute = attributes.first else { return }
        if attributes.count > 1 {
            report(.repeatedMark, "'\(stored.name)' has '@Relationship' twice; write one with all that it says", at: attributes[1])
        }
        if stored.isID {
            report(
                .markOnID, "'id' is the record's key, and refers to no other object; remove '@Relationship'", at: attribute,
                fixIt: variable.removing(attribute))
            return
        }
        checkTarget(of: property, attribute, in: variable)
        var arguments: [String] = []
        for argument in attribute.arguments?.as(LabeledExprListSyntax.self) ?? [] {
            if argument.label?.text == "inverse", !argument.expression.is(NilLiteralExprSyntax.self) { stored.hasInverse = true }
            if argument.label?.text == "originalName" {
                stored.originalName = parseOriginalName(argument.expression, of: stored)
            } else if argument.label?.text == "inverse", !argument.expression.isRootedKeyPath {
                if let keyPath = inverse(argument.expression, of: property) { arguments.append("inverse: \(keyPath)") }
            } else {
                arguments.append(argument.argumentDescription)
            }
        }
        stored.relationship = "Trove.RelationshipOptions(\(arguments.joined(separator: ", ")))"
    }

    /// Reports a type of which syntax tells that it refers to no object.
    private mutating func checkTarget(of property: DeclaredProperty, _ attribute: AttributeSyntax, in variable: VariableDeclSyntax) {
        guard let type = property.type, property.content != .unknown else { return }
        let name = property.token.plainName
        if type.isDictionary {
            guard property.content != .text else { return }
            report(.notReference, "'\(name)' is a relationship by name, so that its keys are of the type 'String'; change the type of the keys", at: type)
        } else {
            report(
                .notReference, "'\(name)' is a relationship, but \(property.typeDescription) refers to no object; remove '@Relationship'", at: property.token,
                fixIt: variable.removing(attribute))
        }
    }

    /// The key path of an inverse that is given by its name.
    private mutating func inverse(_ expression: ExprSyntax, of property: DeclaredProperty) -> String? {
        let name = property.token.plainName
        guard let inverse = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue, !inverse.isEmpty else {
            report(
                .invalidKeyPath, "the inverse of '\(name)' must be a key path with its type, as in '\\Album.songs', or the property's name",
                at: expression)
            return nil
        }
        guard let target = property.type?.targetName else {
            report(
                .invalidKeyPath, "the model that '\(name)' points at cannot be told from its type; give the inverse as a key path", at: expression)
            return nil
        }
        return "\\\(target).\(inverse.asIdentifier)"
    }
}

extension TypeSyntax {
    /// The name of the model that a relationship of this type points at, as written.
    fileprivate var targetName: String? {
        if let target = relationshipTarget { return target.targetName }
        let name = self.as(IdentifierTypeSyntax.self)?.name ?? self.as(MemberTypeSyntax.self)?.name
        return name == nil ? nil : trimmedDescription
    }
}

extension ExprSyntax {
    /// Whether it is nil or a key path that names its root.
    fileprivate var isRootedKeyPath: Bool {
        self.is(NilLiteralExprSyntax.self) || self.as(KeyPathExprSyntax.self)?.root != nil
    }
}
