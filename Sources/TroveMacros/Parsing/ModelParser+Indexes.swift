import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Reads `[\.artist, \.year], [\.title]` and the arguments after the lists, which hold for each.
    mutating func parseLists(of directive: MacroExpansionDeclSyntax, as kind: IndexDeclaration.Kind, in subject: ModelSubject) {
        let lists = directive.unlabeledArguments
        let options = parseOptions(of: directive, indexes: lists.count, in: subject)
        if lists.isEmpty { reportEmpty(directive, at: directive) }
        for list in lists {
            guard let array = list.expression.as(ArrayExprSyntax.self), !array.elements.isEmpty else {
                reportEmpty(directive, at: list.expression)
                continue
            }
            let parts = parseElements(array.elements.map(\.expression), kind: kind, in: subject)
            if parts.count == array.elements.count { add(kind, parts, options, at: list.expression) }
        }
    }

    /// Reads `\.path, \.address.street`: an index each.
    mutating func parseSubstrings(of directive: MacroExpansionDeclSyntax, in subject: ModelSubject) {
        let properties = directive.unlabeledArguments
        let options = parseOptions(of: directive, indexes: properties.count, in: subject)
        if properties.isEmpty { reportEmpty(directive, at: directive) }
        for property in properties {
            let parts = parseElements([property.expression], kind: .substring, in: subject)
            if !parts.isEmpty { add(.substring, parts.map { $0.ignoringAccents(as: directive.arguments) }, options, at: property.expression) }
        }
    }

    /// Reads `"decade", version: 1` and the function.
    mutating func parseDerived(_ directive: MacroExpansionDeclSyntax, in subject: ModelSubject) {
        let first = directive.arguments.first { $0.label == nil }
        guard let name = first?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue, !name.isEmpty else {
            report(
                .invalidIndexName, "a derived value needs a name for queries, a string literal that is not empty",
                at: first.map { Syntax($0.expression) } ?? Syntax(directive))
            return
        }
        if declaredProperties[name] != nil || name == "id" {
            report(
                .takenIndexName, "'\(name)' is a property, which the derived value cannot be told from in a query; name it otherwise",
                at: directive.arguments)
        }
        if let version = directive.arguments.first(where: { $0.label?.text == "version" })?.expression,
            version.as(IntegerLiteralExprSyntax.self).flatMap({ Int($0.literal.text.filter { $0 != "_" }) }) ?? 0 < 1
        {
            report(.invalidIndexVersion, "'version' must be a decimal integer literal of at least 1", at: version)
        }
        var options = parseOptions(of: directive, indexes: 1, in: subject)
        options.name = name
        let part = IndexElement(source: StringLiteralExprSyntax(content: name).description, meaning: name, isKey: false)
        add(.derived, [part], options, at: directive, trailingClosure: directive.trailingClosure?.trimmedDescription)
    }

    private mutating func add(
        _ kind: IndexDeclaration.Kind, _ parts: [IndexElement], _ options: (sources: [String], name: String?), at place: some SyntaxProtocol,
        trailingClosure: String? = nil
    ) {
        let index = IndexDeclaration(
            kind: kind, parts: parts, arguments: options.sources, name: options.name, trailingClosure: trailingClosure)
        parsedIndexes.append(ParsedIndex(declaration: index, place: Syntax(place)))
    }

    private mutating func reportEmpty(_ directive: MacroExpansionDeclSyntax, at node: some SyntaxProtocol) {
        let name = directive.macroName.text
        let needs = name == "Substring" ? "properties, as in '\\.name'" : "a list of properties, as in '[\\.name]'"
        report(.emptyIndex, "'#\(name)' needs \(needs)", at: node)
    }

    // MARK: - Options

    /// The arguments after the parts, as written, and the name among them.
    private mutating func parseOptions(
        of directive: MacroExpansionDeclSyntax, indexes count: Int, in subject: ModelSubject
    ) -> (sources: [String], name: String?) {
        var sources: [String] = []
        var name: String?
        for argument in directive.arguments {
            guard let label = argument.label?.text, label != "identity" else { continue }
            switch label {
            case "name": name = parseName(argument.expression, indexes: count)
            case "covering": parseCovered(argument.expression, in: subject)
            case "aggregates": parseAggregates(argument.expression, in: subject)
            default: break
            }
            sources.append("\(label): \(argument.expression.trimmedDescription)")
        }
        return (sources, name)
    }

    private mutating func parseName(_ expression: ExprSyntax, indexes count: Int) -> String? {
        if expression.is(NilLiteralExprSyntax.self) { return nil }
        guard let name = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue, !name.isEmpty else {
            report(.invalidIndexName, "the name of an index must be a string literal that is not empty", at: expression)
            return nil
        }
        if count > 1 {
            report(.invalidIndexName, "'\(name)' can be the name of one index, and here are \(count); declare each on its own", at: expression)
            return nil
        }
        return name
    }

    private mutating func parseCovered(_ expression: ExprSyntax, in subject: ModelSubject) {
        for element in expression.as(ArrayExprSyntax.self)?.elements ?? [] {
            _ = parsePath(element.expression, in: subject, unstored: { _ in "cannot be kept in an index" })
        }
    }

    /// Checks the properties of `[.count, .sum(\.seconds)]`.
    private mutating func parseAggregates(_ expression: ExprSyntax, in subject: ModelSubject) {
        for element in expression.as(ArrayExprSyntax.self)?.elements ?? [] {
            guard let call = element.expression.as(FunctionCallExprSyntax.self), let argument = call.arguments.first?.expression,
                let path = parsePath(argument, in: subject, unstored: { _ in "has no sum in an index" })
            else { continue }
            if path.isWholeProperty, let property = path.property, property.content.isNotSummable || property.isCollection {
                report(
                    .notSummable,
                    "an index keeps sums of integers and decimals, and '\(path.text)' is \(property.typeDescription)", at: argument)
            }
        }
    }
}

extension MacroExpansionDeclSyntax {
    /// An array, because filtered syntax would be a tree of its own, whose nodes have no place in the source.
    fileprivate var unlabeledArguments: [LabeledExprSyntax] {
        Array(arguments).filter { $0.label == nil }
    }
}
