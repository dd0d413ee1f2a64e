import Foundation

// Text is compared as everywhere in Trove, by its UTF-8 bytes. Swift's own `==` also holds for the composed and decomposed forms of one text; texts
// in one normalisation form, as keyboards and most files give them, compare alike.

extension PredicateExpressions.Equal: TranslatableExpression {
    var source: String { "\(lhs.sourceText) == \(rhs.sourceText)" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        if let filter = try scope.multiples(lhs, rhs) ?? scope.textOrder(lhs, rhs) { return .filter(filter) }
        let (left, right) = (try scope.term(lhs), try scope.term(rhs))
        if case (.constant(let left as LHS.Output), .constant(let right as LHS.Output)) = (left, right) { return .constant(left == right) }
        return .filter(try scope.equality(left, right, of: self))
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    var source: String { "\(lhs.sourceText) != \(rhs.sourceText)" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        if let filter = try scope.multiples(lhs, rhs) ?? scope.textOrder(lhs, rhs) { return .filter(!filter) }
        let (left, right) = (try scope.term(lhs), try scope.term(rhs))
        if case (.constant(let left as LHS.Output), .constant(let right as LHS.Output)) = (left, right) { return .constant(left != right) }
        let equality = try scope.equality(left, right, of: self)
        if case .comparison(let left, .equal, let right, []) = equality { return .filter(.comparison(left, .notEqual, right)) }
        return .filter(PredicateScope.either(equality, .constant(false), .constant(true)))
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    private var comparison: Comparison {
        switch op {
        case .lessThan: .less
        case .lessThanOrEqual: .lessOrEqual
        case .greaterThan: .greater
        case .greaterThanOrEqual: .greaterOrEqual
        @unknown default: .notEqual
        }
    }

    var source: String { "\(lhs.sourceText) \(comparison.rawValue) \(rhs.sourceText)" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let (left, right) = (try scope.term(lhs), try scope.term(rhs))
        if case (.constant(let left as LHS.Output), .constant(let right as LHS.Output)) = (left, right) {
            switch comparison {
            case .less: return .constant(left < right)
            case .lessOrEqual: return .constant(left <= right)
            case .greater: return .constant(left > right)
            case .greaterOrEqual: return .constant(left >= right)
            case .equal, .notEqual: break
            }
        }
        guard comparison != .notEqual else { throw unsupported("Trove does not know the operator") }
        guard LHS.Output.self is any StorableKey.Type else {
            throw unsupported("values of type \(LHS.Output.self) are not stored in their order")
        }
        return .filter(try scope.order(left, comparison, right, of: self))
    }
}

extension PredicateExpressions.Range: TranslatableExpression {
    var source: String { "(\(lower.sourceText)..<\(upper.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .range(try scope.term(lower), try scope.term(upper), isClosed: false)
    }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    var source: String { "(\(lower.sourceText)...\(upper.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .range(try scope.term(lower), try scope.term(upper), isClosed: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    var source: String { "\(range.sourceText).contains(\(element.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let (range, element) = (try scope.term(range), try scope.term(element))
        guard Element.Output.self is any StorableKey.Type else {
            throw unsupported("values of type \(Element.Output.self) are not stored in their order")
        }
        return .filter(try scope.condition(range) { try scope.containment(of: element, in: $0, by: self) })
    }
}

extension PredicateScope {
    /// Whether a range has an element in it.
    func containment(of element: PredicateTerm, in range: PredicateTerm, by expression: some PredicateExpression) throws -> Filter {
        switch range {
        case .range(let lower, let upper, let isClosed):
            return try order(element, .greaterOrEqual, lower, of: expression)
                && order(element, isClosed ? .lessOrEqual : .less, upper, of: expression)
        case .constant(let range as any BoundedValues):
            let bounds = range.bounds
            let filters = try [
                bounds.lower.map { try order(element, .greaterOrEqual, .constant($0), of: expression) },
                bounds.upper.map { try order(element, bounds.isClosed ? .lessOrEqual : .less, .constant($0), of: expression) },
            ].compactMap(\.self)
            return filters.count == 1 ? filters[0] : .and(filters)
        default:
            throw expression.unsupported("a store does not know the range")
        }
    }
}
