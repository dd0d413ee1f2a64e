import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// A key path into the model: the property it begins with, nil for one that a superclass may have, and the path in words.
    struct Path {
        let property: DeclaredProperty?
        let text: String
        /// Whether nothing follows the property.
        let isWholeProperty: Bool
    }

    /// The parts of one index; fewer than elements when something was reported.
    mutating func parseElements(_ elements: [ExprSyntax], kind: IndexDeclaration.Kind, in subject: ModelSubject) -> [IndexElement] {
        let isMixed = elements.contains { !$0.is(KeyPathExprSyntax.self) } && elements.contains { $0.is(KeyPathExprSyntax.self) }
        var parts: [IndexElement] = []
        var values: Set<String> = []
        for element in elements {
            if isMixed, element.is(KeyPathExprSyntax.self) {
                reportMixed(element)
            } else if let (part, value) = parseElement(element, kind: kind, in: subject) {
                if !values.insert(value).inserted {
                    report(.repeatedIndexPart, "'\(value)' is in the index twice", at: element)
                } else {
                    parts.append(part)
                }
            }
        }
        return parts
    }

    /// The compiler infers one type for all elements of a list, and says of a mixture only that it cannot.
    private mutating func reportMixed(_ element: ExprSyntax) {
        let source = element.trimmedDescription
        report(
            .invalidIndexPart, "beside parts with a direction, write '.ascending(\(source))'", at: element,
            fixIt: .replacing(element, with: ExprSyntax(".ascending(\(element.trimmed))"), "write '.ascending(\(source))'"))
    }

    /// Reads `\.year`, `.descending(\.year)` or `.path("labels.genre")`; `value` is the part in words without its direction.
    private mutating func parseElement(
        _ element: ExprSyntax, kind: IndexDeclaration.Kind, in subject: ModelSubject
    ) -> (IndexElement, value: String)? {
        if element.is(KeyPathExprSyntax.self) {
            guard let path = parseIndexed(element, in: subject) else { return nil }
            let isText = kind == .fullText || kind == .substring
            guard checkContent(of: path, at: element, needsText: isText ? "an index of words or parts of text is" : nil) else { return nil }
            return (IndexElement(source: element.trimmedDescription, meaning: path.text, isKey: false), path.text)
        }
        guard let call = element.as(FunctionCallExprSyntax.self), let first = call.arguments.first?.expression,
            let function = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            ["ascending", "descending", "ignoringCase", "path"].contains(function)
        else {
            report(
                .invalidIndexPart,
                "a part of an index is a property of '\(subject.name.plainName)', as in '\\.name' or '.descending(\\.name)'", at: element)
            return nil
        }
        let argument = FoldingSyntax.argument(in: call.arguments)
        let folding = function == "ignoringCase" ? .caseAlone : argument.map { FoldingSyntax($0) } ?? .nothing
        let path: Path
        if function == "path" {
            guard let named = parseNamed(first, in: subject) else { return nil }
            path = named
        } else {
            guard let indexed = parseIndexed(first, in: subject) else { return nil }
            path = indexed
        }
        guard checkContent(of: path, at: first, needsText: folding.flatMap { $0.ignoresNothing ? nil : $0.phrase + " is" }) else { return nil }
        let isDescending = function == "descending" || call.arguments.contains { $0.expression.trimmedDescription == ".descending" }
        // What only the compiler can tell is compared as it is written.
        let phrase = folding.map { $0.ignoresNothing ? "" : " " + $0.phrase } ?? " " + (argument?.argumentDescription ?? "")
        let value = path.text + phrase
        let part = IndexElement(
            source: element.trimmedDescription, meaning: isDescending ? value + " descending" : value, isKey: true)
        return (part, value)
    }

    private mutating func parseIndexed(_ expression: ExprSyntax, in subject: ModelSubject) -> Path? {
        parsePath(expression, in: subject) { property in
            let name = property.token.text
            return property.kind == .transient
                ? "cannot be indexed"
                : "has no key path for an index; index its value: '#Index<\(subject.name.text)>(\"…\", version: 1) { $0.\(name) }'"
        }
    }

    /// The path that a key path means; nil after a report.
    mutating func parsePath(
        _ expression: ExprSyntax, in subject: ModelSubject, unstored consequence: (DeclaredProperty) -> String
    ) -> Path? {
        guard let keyPath = expression.as(KeyPathExprSyntax.self), keyPath.begins(at: subject), let names = keyPath.properties else {
            let message = if let keyPath = expression.as(KeyPathExprSyntax.self), keyPath.properties == nil {
                "an index has no place for a subscript; write the way as text, as in '.path(\"labels.genre\")'"
            } else {
                "an index is made of properties of '\(subject.name.plainName)', written as in '\\.name'"
            }
            report(.invalidKeyPath, message, at: expression)
            return nil
        }
        let isWholeProperty = names.rest.isEmpty
        let text = ([names.first.plainName] + names.rest).joined(separator: ".")
        if text == "id" {
            report(.indexOnID, "'id' is the record's key, which finds objects itself and is in every index; leave it out", at: expression)
            return nil
        }
        if declaredProperties[names.first.plainName] == nil, possibleSuperclass(of: subject) != nil {
            return Path(property: nil, text: text, isWholeProperty: isWholeProperty)
        }
        guard let property = property(names.first, of: subject, unstored: consequence) else { return nil }
        return Path(property: property, text: text, isWholeProperty: isWholeProperty)
    }

    /// The path that the text in `.path("labels.genre")` means; its field has to be a property.
    private mutating func parseNamed(_ expression: ExprSyntax, in subject: ModelSubject) -> Path? {
        guard let text = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue, !text.isEmpty else {
            report(.invalidIndexPart, "a path must be a string literal that is not empty, as in '.path(\"labels.genre\")'", at: expression)
            return nil
        }
        let path = DocumentPath(text)
        var field = text
        if case .name(let name)? = path.steps.first { field = name }
        let property = declaredProperties[field]
        guard property?.kind == .stored || property == nil && possibleSuperclass(of: subject) != nil else {
            report(.unknownProperty, "'\(subject.name.plainName)' stores no property '\(field)'", at: expression)
            return nil
        }
        // One path may be written in several ways: 'lines.0' is 'lines[0]'.
        let words = path.names.map { $0.contains(".") ? "[\($0.literal)]" : $0 }.joined(separator: ".")
        return Path(property: property, text: words, isWholeProperty: path.steps.count == 1)
    }

    /// Reports a property that the index cannot be of, as far as syntax tells its type.
    private mutating func checkContent(of path: Path, at node: ExprSyntax, needsText need: String?) -> Bool {
        guard path.isWholeProperty, let property = path.property else { return true }
        return checkContent(of: property, at: node, needsText: need)
    }

    mutating func checkContent(
        of property: DeclaredProperty, at node: some SyntaxProtocol, needsText need: String?, fixIt: FixIt? = nil
    ) -> Bool {
        let name = property.token.plainName
        let content = property.content
        if let need, content.isNotText {
            report(.notText, "\(need) for text, and '\(name)' is \(property.typeDescription)", at: node, fixIt: fixIt)
            return false
        }
        if need == nil, content == .unordered {
            report(.unorderedType, "'\(name)' is \(property.typeDescription), and its elements have no order to be indexed in", at: node)
            return false
        }
        return true
    }
}
