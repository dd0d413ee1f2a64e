import Foundation

/// `title.contains("Blue")`. Of other collections a store does not know the order.
extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    var source: String { "\(base.sourceText).contains(\(other.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard let filter = try scope.textTest(.contains, base, other, of: self) else { return try constant(in: scope) }
        return .filter(filter)
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    var source: String { "\(base.sourceText).starts(with: \(prefix.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard let filter = try scope.textTest(.hasPrefix, base, prefix, of: self) else { return try constant(in: scope) }
        return .filter(filter)
    }
}

extension PredicateExpressions.StringContainsRegex: TranslatableExpression {
    var source: String { "\(subject.sourceText).contains(/\(regex.sourceText)/)" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let (subject, regex) = (try scope.term(subject), try scope.term(regex))
        if case (.constant, .constant) = (subject, regex) { return try constant(in: scope) }
        guard case .constant(let pattern as PredicateExpressions.PredicateRegex) = regex, Subject.Output.self is String.Type else {
            throw unsupported("the regular expression is not a literal")
        }
        return .filter(try scope.condition(subject) { .matches(try scope.operand($0, of: self), pattern: pattern.stringRepresentation) })
    }
}

extension PredicateScope {
    /// A test of one text with another; nil when nothing depends on the object.
    func textTest<Base: PredicateExpression, Other: PredicateExpression>(
        _ test: TextTest, _ base: Base, _ other: Other, ignoring: TextFolding = [], of expression: some PredicateExpression
    ) throws -> Filter? {
        let (subject, part) = (try term(base), try term(other))
        if case (.constant, .constant) = (subject, part), !subject.isNil, !part.isNil { return nil }
        guard Self.isText(Base.Output.self), Self.isText(Other.Output.self) else {
            throw expression.unsupported("a store does not search for runs of elements; use contains with one element")
        }
        return try condition(subject) { subject in
            try condition(part) { .text(try operand(subject, of: expression), test, try operand($0, of: expression), ignoring: ignoring) }
        }
    }

    private static func isText(_ type: Any.Type) -> Bool { type is String.Type || type is Substring.Type }
}
