import Foundation

extension PredicateExpressions.Conjunction: TranslatableExpression {
    var source: String { "(\(lhs.sourceText) && \(rhs.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .filter(PredicateScope.either(try scope.filter(lhs), try scope.filter(rhs), .constant(false)))
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    var source: String { "(\(lhs.sourceText) || \(rhs.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .filter(PredicateScope.either(try scope.filter(lhs), .constant(true), try scope.filter(rhs)))
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    var source: String { "!\(wrapped.sourceText)" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .filter(PredicateScope.either(try scope.filter(wrapped), .constant(false), .constant(true)))
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    var source: String { "(\(test.sourceText) ? \(trueBranch.sourceText) : \(falseBranch.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let test = try scope.filter(test)
        if case .constant(let value) = test { return try value ? scope.term(trueBranch) : scope.term(falseBranch) }
        return .choice(test, try scope.term(trueBranch), try scope.term(falseBranch))
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    var source: String { "(\(lhs.sourceText) ?? \(rhs.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let fallback = try scope.term(rhs)
        return try scope.mapped(scope.term(lhs)) { term in
            switch term {
            case .constant: return term.isNil ? fallback : term
            case .path(let path): return .choice(.isNil(path), fallback, term)
            case .filter: return term
            case .object, .outerElement, .choice, .members, .range: throw unsupported("a store does not know whether it is nil")
            }
        }
    }
}

/// `$0.address?.city`, and the `if let` that `#Predicate` makes of it.
extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    var source: String { "(\(wrapped.sourceText)?, of which \(transform.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let none = PredicateTerm.constant(Result?.none as Any)
        return try scope.mapped(scope.term(wrapped)) { term in
            switch term {
            case .constant where term.isNil: return none
            case .constant, .filter: return try scope.binding(variable, to: term).term(transform)
            case .path(let path):
                let result = try scope.binding(variable, to: term).term(transform)
                // A path onwards is nil where the first part is.
                if case .path(let further) = result, further.field == path.field, further.names.starts(with: path.names) { return result }
                return .choice(.isNil(path), none, result)
            case .object, .outerElement, .choice, .members, .range: throw unsupported("a store does not know whether it is nil")
            }
        }
    }
}

/// The value itself. Where Foundation's evaluation fails for a nil, the store's answer is that of a comparison with nil.
extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    var source: String { "\(inner.sourceText)!" }

    func term(in scope: PredicateScope) throws -> PredicateTerm { try scope.term(inner) }
}
