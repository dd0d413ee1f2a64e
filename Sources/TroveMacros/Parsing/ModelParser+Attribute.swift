import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Reads the options and the original name in `@Attribute(…)`.
    mutating func parse(_ attribute: AttributeSyntax, of property: DeclaredProperty, into stored: inout StoredProperty) {
        for argument in attribute.arguments?.as(LabeledExprListSyntax.self) ?? [] {
            if argument.label?.text == "originalName" {
                stored.originalName = parseOriginalName(argument.expression, of: stored)
            } else if let option = argument.expression.as(MemberAccessExprSyntax.self), option.isFieldOption {
                stored.options.append(".\(option.declName.trimmedDescription)")
            } else {
                report(
                    .invalidOption, "the options of '\(stored.name)' must be written out, as in '@Attribute(.writeOnce)'",
                    at: argument.expression)
            }
        }
        if stored.options.contains(".keepIfNil"), !(property.type?.isOptional ?? false) {
            let advice = property.type == nil ? "write its type, an optional" : "make it optional, or remove the option"
            report(
                .optionNeedsOptional, "'.keepIfNil' has no effect on '\(stored.name)', which is never nil; \(advice)",
                at: property.token, fixIt: property.type.flatMap(Self.makingOptional))
        }
    }

    private static func makingOptional(_ type: TypeSyntax) -> FixIt? {
        // Other types would need parentheses; they are rare enough to leave to the writer.
        guard [.identifierType, .memberType, .arrayType, .dictionaryType].contains(type.kind) else { return nil }
        return .replacing(type, with: OptionalTypeSyntax(wrappedType: type.trimmed), "make the type optional")
    }

    private mutating func parseOriginalName(_ expression: ExprSyntax, of stored: StoredProperty) -> String? {
        if expression.is(NilLiteralExprSyntax.self) { return nil }
        guard let name = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue, !name.isEmpty else {
            report(
                .invalidOriginalName, "the original name of '\(stored.name)' must be a string literal that is not empty", at: expression)
            return nil
        }
        if name == stored.name {
            report(.invalidOriginalName, "'\(name)' is the present name of the property; give the one it had before", at: expression)
            return nil
        }
        return name
    }

    /// Two properties must not read the same stored value.
    mutating func checkOriginalNames(of model: ModelDeclaration) {
        var owners = Dictionary(model.fields.map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
        for field in model.fields {
            guard let originalName = field.originalName, let token = declaredProperties[field.name]?.token else { continue }
            if let owner = owners[originalName] {
                report(
                    .takenOriginalName, "'\(originalName)' cannot be the original name of '\(field.name)': '\(owner)' reads that value",
                    at: token)
            }
            owners[originalName] = field.name
        }
    }
}

extension MemberAccessExprSyntax {
    /// Whether this is `.option` or `FieldOptions.option`.
    fileprivate var isFieldOption: Bool {
        guard let base else { return true }
        return ["FieldOptions", "Trove.FieldOptions"].contains(base.trimmedDescription)
    }
}
