import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Reads the one `#Unique(…, identity: true)` that a model may have.
    mutating func parseIdentity(_ declarations: [MacroExpansionDeclSyntax], of subject: ModelSubject) -> Identity? {
        guard let declaration = declarations.first else { return nil }
        for second in declarations.dropFirst() {
            report(.secondIdentity, "'\(subject.name.plainName)' has an identity already; remove this one", at: second)
        }
        if let id = declaredProperties["id"] {
            report(
                .identityBesideID, "'id' is the identity of '\(subject.name.plainName)'; remove it, or remove '#Unique'", at: id.token)
            return nil
        }
        guard checkModel(of: declaration, is: subject) else { return nil }
        checkArguments(ofIdentity: declaration)
        guard let list = declaration.arguments.first?.expression.as(ArrayExprSyntax.self), !list.elements.isEmpty else {
            report(.invalidKeyPath, "'#Unique' needs a list of the properties that make the identity, as in '[\\.name]'", at: declaration)
            return nil
        }
        var names: Set<String> = []
        var parts: [Identity.Part] = []
        for element in list.elements {
            guard let token = element.expression.as(KeyPathExprSyntax.self)?.property(of: subject) else {
                report(
                    .invalidKeyPath, "an identity is made of properties of '\(subject.name.plainName)' itself, written as in '\\.name'",
                    at: element.expression)
                continue
            }
            if !names.insert(token.plainName).inserted {
                report(.repeatedIdentityProperty, "'\(token.plainName)' is in the identity twice", at: token)
            } else if let part = identityPart(token, of: subject) {
                parts.append(part)
            }
        }
        return parts.isEmpty ? nil : Identity(parts: parts)
    }

    /// An identity is one list, and has no index that could have a name.
    private mutating func checkArguments(ofIdentity declaration: MacroExpansionDeclSyntax) {
        for argument in declaration.arguments.dropFirst() where argument.label?.text != "identity" {
            let what = argument.label == nil ? "one list of properties" : "no '\(argument.label?.text ?? "")'"
            report(.invalidIdentityArgument, "an identity has \(what); remove this", at: argument)
        }
    }

    private mutating func identityPart(_ token: TokenSyntax, of subject: ModelSubject) -> Identity.Part? {
        let name = token.plainName
        guard let property = property(token, of: subject, unstored: { _ in "cannot be part of the identity" }) else { return nil }
        guard let type = property.type else {
            report(
                .untypedIdentityProperty, "'\(name)' is part of the identity and needs its type written, as in 'var \(name): String'",
                at: property.token,
                fixIt: .replacing(property.binding, with: property.binding.withTypePlaceholder, "write the type of '\(name)'"))
            return nil
        }
        if kind == .live, !property.isConstant {
            report(.variableID, "'\(name)' tells which record the object is, and must be a 'let'", at: token)
        }
        return Identity.Part(codeName: property.token.text, name: name, type: type.portableDescription(insideOf: subject.name.text))
    }
}

extension KeyPathExprSyntax {
    /// The name in `\.name` or `\Root.name`, when the root is the model.
    fileprivate func property(of subject: ModelSubject) -> TokenSyntax? {
        guard begins(at: subject), components.count == 1, case .property(let property) = components.first?.component else { return nil }
        return property.declName.baseName
    }
}

extension PatternBindingSyntax {
    /// The same property with a place for its type.
    var withTypePlaceholder: PatternBindingSyntax {
        var binding = self
        binding.pattern = pattern.trimmed
        binding.typeAnnotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space),
            type: IdentifierTypeSyntax(name: .identifier("<#Type#>")),
            trailingTrivia: .space)
        return binding
    }
}
