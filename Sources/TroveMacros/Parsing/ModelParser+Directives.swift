import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// The macros in a model's braces that say something about it.
    static let directives: Set = ["Unique", "Index", "FullText", "Substring"]

    /// Reads what `#Unique`, `#Index`, `#FullText` and `#Substring` declare.
    mutating func parse(_ directives: [MacroExpansionDeclSyntax], of subject: ModelSubject, into model: inout ModelDeclaration) {
        let identities = directives.filter { isIdentity($0) }
        identityDirective = identities.first
        model.identity = parseIdentity(identities, of: subject)
        for directive in directives where !identities.contains(directive) {
            guard checkModel(of: directive, is: subject) else { continue }
            switch directive.macroName.text {
            case "Unique": parseLists(of: directive, as: .unique, in: subject)
            case "FullText": parseLists(of: directive, as: .fullText, in: subject)
            case "Substring": parseSubstrings(of: directive, in: subject)
            case _ where directive.isDerived: parseDerived(directive, in: subject)
            default: parseLists(of: directive, as: .ordered, in: subject)
            }
        }
        checkIndexes(of: subject, isHandwritten: model.handwritten.contains(.indexes), identity: model.identity)
        model.indexes = parsedIndexes.map(\.declaration)
    }

    /// Whether `#Unique` declares the id. Reports an argument that leaves it open.
    private mutating func isIdentity(_ directive: MacroExpansionDeclSyntax) -> Bool {
        guard directive.macroName.text == "Unique", let argument = directive.arguments.first(where: { $0.label?.text == "identity" })
        else { return false }
        if let literal = argument.expression.as(BooleanLiteralExprSyntax.self) { return literal.literal.tokenKind == .keyword(.true) }
        report(.invalidIdentityArgument, "'identity' must be written 'true' or 'false'", at: argument.expression)
        return false
    }

    /// Reports a macro that names another model than the one it is in.
    mutating func checkModel(of directive: MacroExpansionDeclSyntax, is subject: ModelSubject) -> Bool {
        // Depending on the version of swift-syntax, the argument is a type or a choice of a type and a value.
        guard let model = directive.genericArgumentClause?.arguments.first,
            !(Syntax(model.argument).as(TypeSyntax.self)?.names(subject) ?? false)
        else { return true }
        let name = directive.macroName.text
        report(
            .invalidKeyPath, "'#\(name)' names another type than the \(subject.word) it is in: write '#\(name)<\(subject.name.text)>'",
            at: model.argument,
            fixIt: .replacing(
                Syntax(model.argument), with: IdentifierTypeSyntax(name: subject.name.trimmed), "name '\(subject.name.plainName)'"))
        return false
    }

    /// The property of the model that a key path begins with, which has to be stored; nil after a report.
    mutating func property(
        _ token: TokenSyntax, of subject: ModelSubject, unstored consequence: (DeclaredProperty) -> String
    ) -> DeclaredProperty? {
        let name = token.plainName
        guard let property = declaredProperties[name] else {
            report(.unknownProperty, "'\(subject.name.plainName)' declares no property '\(name)'", at: token)
            return nil
        }
        guard property.kind != .stored else { return property }
        let reason = property.kind == .computed ? "computed" : "'@Transient'"
        report(.unstoredProperty, "'\(name)' is \(reason) and not stored, so it \(consequence(property))", at: token)
        return nil
    }
}

extension MacroExpansionDeclSyntax {
    /// Whether `#Index` is that of a derived value, `#Index<Song>("decade", version: 1) { … }`.
    fileprivate var isDerived: Bool {
        trailingClosure != nil || arguments.contains { $0.label?.text == "version" }
            || arguments.first?.expression.is(StringLiteralExprSyntax.self) ?? false
    }
}
