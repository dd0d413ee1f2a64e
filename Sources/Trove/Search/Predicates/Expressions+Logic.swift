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
