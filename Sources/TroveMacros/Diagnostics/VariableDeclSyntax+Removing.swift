import SwiftDiagnostics
import SwiftSyntax

extension VariableDeclSyntax {
    /// The removal of one of the attribute's arguments, and of the attribute when it is the only one.
    func removing(_ argument: LabeledExprSyntax, of attribute: AttributeSyntax) -> FixIt {
        let arguments = attribute.arguments?.as(LabeledExprListSyntax.self) ?? []
        guard arguments.count > 1 else { return removing(attribute) }
        var rest = arguments.filter { $0 != argument }
        if argument == arguments.last, let last = rest.indices.last { rest[last].trailingComma = nil }
        return .replacing(arguments, with: rest, "remove '\(argument.expression.trimmedDescription)'")
    }

    /// The removal of an attribute.
    func removing(_ attribute: AttributeSyntax) -> FixIt {
        var variable = self
        variable.attributes = attributes.filter { element in
            guard case .attribute(let other) = element else { return true }
            return other != attribute
        }
        return .replacing(self, with: variable, "remove '\(attribute.trimmedDescription)'")
    }
}
