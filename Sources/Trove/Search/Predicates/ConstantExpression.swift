import Foundation

/// An expression that a store does not compute: when it is the same for all objects, its value is translated, else it is refused.
protocol ConstantExpression: TranslatableExpression {
    /// Whether all of its parts are constants.
    func isConstant(in scope: PredicateScope) throws -> Bool

    /// Why it is refused, and what to do instead.
    var refusal: String { get }
}

extension ConstantExpression {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard try isConstant(in: scope) else { throw unsupported(refusal) }
        return try constant(in: scope)
    }
}

extension PredicateScope {
    func isConstant(_ expression: some PredicateExpression) throws -> Bool {
        if case .constant = try term(expression) { true } else { false }
    }
}
