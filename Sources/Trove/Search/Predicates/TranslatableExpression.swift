import Foundation

/// An expression of a `#Predicate` that is known here: each kind says what it stands for.
protocol TranslatableExpression: PredicateExpression {
    /// The expression much as it is written in Swift, for messages.
    var source: String { get }

    /// What the expression stands for.
    ///
    /// - Throws: ``TroveError/unsupportedPredicate(expression:reason:)`` when a store cannot tell.
    func term(in scope: PredicateScope) throws -> PredicateTerm
}

extension PredicateExpression {
    /// The expression much as it is written in Swift.
    var sourceText: String { (self as? any TranslatableExpression)?.source ?? "\(self)" }

    func unsupported(_ reason: String) -> TroveError {
        .unsupportedPredicate(expression: sourceText, reason: reason)
    }

    /// The value, when nothing in the expression depends on the object.
    func constant(in scope: PredicateScope) throws -> PredicateTerm {
        do {
            return .constant(try evaluate(scope.bindings))
        } catch {
            throw unsupported("its value cannot be computed: \(error)")
        }
    }
}
