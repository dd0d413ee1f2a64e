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

// Foundation has these on Apple's systems alone. It goes by the user's locale there, and a store by Unicode, the same for all users.
#if canImport(Darwin)
extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
    var source: String { "\(root.sourceText).localizedStandardContains(\(other.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard let filter = try scope.standardContains(root, other, of: self) else { return try constant(in: scope) }
        return .filter(filter)
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: TextOrderExpression {
    var source: String { "\(root.sourceText).caseInsensitiveCompare(\(other.sourceText))" }
}
#endif

/// `title.caseInsensitiveCompare("blue")`, which has a meaning where it is compared with `.orderedSame` or another result.
protocol TextOrderExpression: TranslatableExpression where Output == ComparisonResult {
    associatedtype Root: PredicateExpression
    associatedtype Other: PredicateExpression

    var root: Root { get }
    var other: Other { get }
}

extension TextOrderExpression {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard try scope.isConstant(root), try scope.isConstant(other) else {
            throw unsupported("how texts stand to each other is not a value; compare it with .orderedSame, .orderedAscending or .orderedDescending")
        }
        return try constant(in: scope)
    }

    /// The filter of the objects of which this is the result; nil when nothing depends on the object.
    fileprivate func filter(of result: ComparisonResult, in scope: PredicateScope) throws -> Filter? {
        let (left, right) = (try scope.term(root), try scope.term(other))
        if case (.constant, .constant) = (left, right) { return nil }
        let comparison: Comparison =
            switch result {
            case .orderedAscending: .less
            case .orderedSame: .equal
            case .orderedDescending: .greater
            }
        return try scope.condition(left) { left in
            try scope.condition(right) { .comparison(try scope.operand(left, of: self), comparison, try scope.operand($0, of: self), ignoring: .case) }
        }
    }
}

extension PredicateScope {
    /// The filter that the equality of two expressions is, where one of them tells how texts stand to each other; nil for others.
    func textOrder(_ left: some PredicateExpression, _ right: some PredicateExpression) throws -> Filter? {
        if let order = left as? any TextOrderExpression, case .constant(let result as ComparisonResult) = try term(right) {
            return try order.filter(of: result, in: self)
        }
        if let order = right as? any TextOrderExpression, case .constant(let result as ComparisonResult) = try term(left) {
            return try order.filter(of: result, in: self)
        }
        return nil
    }

    /// Whether a text contains another but for case and accents; nil when nothing depends on the object.
    func standardContains(_ base: some PredicateExpression, _ other: some PredicateExpression, of expression: some PredicateExpression) throws -> Filter? {
        try textTest(.contains, base, other, ignoring: [.case, .diacritics], of: expression)
    }

    /// A test of one text with another; nil when nothing depends on the object.
    fileprivate func textTest<Base: PredicateExpression, Other: PredicateExpression>(
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
