import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Reads `@Relationship(…)`, if the property has it.
    mutating func parseRelationship(of variable: VariableDeclSyntax, into stored: inout StoredProperty) {
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
        var arguments: [String] = []
        for argument in attribute.arguments?.as(LabeledExprListSyntax.self) ?? [] {
            if argument.label?.text == "originalName" {
                stored.originalName = parseOriginalName(argument.expression, of: stored)
            } else if argument.label?.text == "inverse", !argument.expression.isRootedKeyPath {
                report(
                    .invalidKeyPath,
                    "the inverse of '\(stored.name)' must be a key path with its type, as in '\\Album.songs'", at: argument.expression)
            } else {
                arguments.append(argument.argumentDescription)
            }
        }
        stored.relationship = "Trove.RelationshipOptions(\(arguments.joined(separator: ", ")))"
    }
}

extension ExprSyntax {
    /// Whether it is nil or a key path that names its root.
    fileprivate var isRootedKeyPath: Bool {
        self.is(NilLiteralExprSyntax.self) || self.as(KeyPathExprSyntax.self)?.root != nil
    }
}
