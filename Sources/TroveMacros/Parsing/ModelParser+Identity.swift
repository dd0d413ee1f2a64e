import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Reads the one `#Unique(…, identity: true)` that a model may have.
    mutating func parseIdentity(_ declarations: [MacroExpansionDeclSyntax], of structure: StructDeclSyntax) -> Identity? {
        guard let declaration = declarations.first else { return nil }
        for second in declarations.dropFirst() {
            report(.secondIdentity, "'\(structure.name.plainName)' has an identity already; remove this one", at: second)
        }
        if let id = declaredProperties["id"] {
            report(
                .identityBesideID, "'id' is the identity of '\(structure.name.plainName)'; remove it, or remove '#Unique'", at: id.token)
        }
        checkIsIdentity(declaration)
        // Depending on the version of swift-syntax, the argument is a type or a choice of a type and a value.
        if let model = declaration.genericArgumentClause?.arguments.first,
            !(Syntax(model.argument).as(TypeSyntax.self)?.names(structure) ?? false)
        {
            report(
                .invalidKeyPath, "'#Unique' names another type than the struct it is in: write '#Unique<\(structure.name.text)>'",
                at: model)
        }
        guard let list = declaration.arguments.first?.expression.as(ArrayExprSyntax.self), !list.elements.isEmpty else {
            report(.invalidKeyPath, "'#Unique' needs a list of the properties that make the identity, as in '[\\.name]'", at: declaration)
            return nil
        }
        var names: Set<String> = []
        var parts: [Identity.Part] = []
        for element in list.elements {
            guard let token = element.expression.as(KeyPathExprSyntax.self)?.property(of: structure) else {
                report(
                    .invalidKeyPath, "an identity is made of properties of '\(structure.name.plainName)' itself, written as in '\\.name'",
                    at: element.expression)
                continue
            }
            if !names.insert(token.plainName).inserted {
                report(.repeatedIdentityProperty, "'\(token.plainName)' is in the identity twice", at: token)
            } else if let part = identityPart(token, of: structure) {
                parts.append(part)
            }
        }
        return Identity(parts: parts)
    }

    private mutating func checkIsIdentity(_ declaration: MacroExpansionDeclSyntax) {
        let argument = declaration.arguments.first { $0.label?.text == "identity" }
        if argument?.expression.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind == .keyword(.true) { return }
        let fixIt = argument.map { argument in
            FixIt.replacing(
                argument.expression, with: BooleanLiteralExprSyntax(literal: .keyword(.true)), "make it the identity with 'identity: true'")
        }
        report(
            .notAnIdentity, "in this release '#Unique' declares identities only; write 'identity: true'",
            at: argument.map { Syntax($0) } ?? Syntax(declaration), fixIt: fixIt)
    }

    private mutating func identityPart(_ token: TokenSyntax, of structure: StructDeclSyntax) -> Identity.Part? {
        let name = token.plainName
        guard let property = declaredProperties[name] else {
            report(.unknownIdentityProperty, "'\(structure.name.plainName)' declares no property '\(name)'", at: token)
            return nil
        }
        guard property.kind == .stored else {
            let reason = property.kind == .computed ? "computed" : "'@Transient'"
            report(.unstoredIdentityProperty, "'\(name)' is \(reason) and not stored, so it cannot be part of the identity", at: token)
            return nil
        }
        guard let type = property.type else {
            report(
                .untypedIdentityProperty, "'\(name)' is part of the identity and needs its type written, as in 'var \(name): String'",
                at: property.token,
                fixIt: .replacing(property.binding, with: property.binding.withTypePlaceholder, "write the type of '\(name)'"))
            return nil
        }
        return Identity.Part(codeName: property.token.text, type: type.portableDescription)
    }
}

extension TypeSyntax {
    fileprivate func names(_ structure: StructDeclSyntax) -> Bool {
        let name = self.as(IdentifierTypeSyntax.self)?.name ?? self.as(MemberTypeSyntax.self)?.name
        return name?.text == "Self" || name?.plainName == structure.name.plainName
    }
}

extension KeyPathExprSyntax {
    /// The name in `\.name` or `\Root.name`, when the root is the struct.
    fileprivate func property(of structure: StructDeclSyntax) -> TokenSyntax? {
        if let root, !root.names(structure) { return nil }
        guard components.count == 1, case .property(let property) = components.first?.component else { return nil }
        return property.declName.baseName
    }
}

extension PatternBindingSyntax {
    /// The same property with a place for its type.
    fileprivate var withTypePlaceholder: PatternBindingSyntax {
        var binding = self
        binding.pattern = pattern.trimmed
        binding.typeAnnotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space),
            type: IdentifierTypeSyntax(name: .identifier("<#Type#>")),
            trailingTrivia: .space)
        return binding
    }
}
