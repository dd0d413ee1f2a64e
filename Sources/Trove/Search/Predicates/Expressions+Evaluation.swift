import Foundation

/// Another expression, captured as a value, with its inputs in the place of its variables.
extension PredicateExpressions.ExpressionEvaluate: TranslatableExpression {
    var source: String { "\(expression.sourceText).evaluate(…)" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let captured as Transformation.Output) = try scope.term(expression) else {
            throw unsupported("the expression is not the same for all objects")
        }
        var inner = scope
        for (variable, input) in repeat (each captured.variable, each input) {
            inner = inner.binding(variable, to: try scope.term(input))
        }
        return try inner.term(captured.expression)
    }
}
