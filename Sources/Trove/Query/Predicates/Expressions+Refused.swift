import Foundation

// What a store cannot tell of an object. Each is translated where it is the same for all objects.

extension PredicateExpressions.SequenceMaximum: ConstantExpression {
    var source: String { "\(elements.sourceText).max()" }

    func isConstant(in scope: PredicateScope) throws -> Bool { try scope.isConstant(elements) }

    var refusal: String { "a store does not know the greatest member; use contains(where:) or allSatisfy, or index a derived value" }
}

extension PredicateExpressions.SequenceMinimum: ConstantExpression {
    var source: String { "\(elements.sourceText).min()" }

    func isConstant(in scope: PredicateScope) throws -> Bool { try scope.isConstant(elements) }

    var refusal: String { "a store does not know the least member; use contains(where:) or allSatisfy, or index a derived value" }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableExpression {
    var source: String { "\(wrapped.sourceText)[\(index.sourceText)]" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case (.constant(let values as Wrapped.Output), .constant(let index as Index.Output)) = (try scope.term(wrapped), try scope.term(index)) else {
            throw unsupported("a store does not find members by their position; use contains or allSatisfy")
        }
        guard index >= values.startIndex, index < values.endIndex else { throw unsupported("there is no such position") }
        return .constant(values[index])
    }
}

extension PredicateExpressions.CollectionRangeSubscript: TranslatableExpression {
    var source: String { "\(wrapped.sourceText)[\(range.sourceText)]" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let values as Wrapped.Output) = try scope.term(wrapped),
            let bounds = try scope.bounds(of: range, as: Wrapped.Output.Index.self)
        else {
            throw unsupported("a store does not find members by their position; use contains or allSatisfy")
        }
        guard bounds.lower >= values.startIndex, bounds.lower <= bounds.upper, bounds.upper <= values.endIndex else {
            throw unsupported("there are no such positions")
        }
        return .constant(values[bounds.lower..<bounds.upper])
    }
}

extension PredicateExpressions.ConditionalCast: ConstantExpression {
    var source: String { "(\(input.sourceText) as? \(Desired.self))" }

    func isConstant(in scope: PredicateScope) throws -> Bool { try scope.isConstant(input) }

    var refusal: String { "a store keeps values in the types the model declares" }
}

extension PredicateExpressions.ForceCast: ConstantExpression {
    var source: String { "(\(input.sourceText) as! \(Desired.self))" }

    func isConstant(in scope: PredicateScope) throws -> Bool { try scope.isConstant(input) }

    var refusal: String { "a store keeps values in the types the model declares" }
}

extension PredicateExpressions.TypeCheck: ConstantExpression {
    var source: String { "(\(input.sourceText) is \(Desired.self))" }

    func isConstant(in scope: PredicateScope) throws -> Bool { try scope.isConstant(input) }

    var refusal: String { "a store keeps values in the types the model declares" }
}

extension PredicateScope {
    /// The bounds of a range that is the same for all objects; nil when it is none.
    fileprivate func bounds<Bound: Comparable>(of range: some PredicateExpression, as type: Bound.Type) throws -> (lower: Bound, upper: Bound)? {
        switch try term(range) {
        case .range(.constant(let lower as Bound), .constant(let upper as Bound), isClosed: false): (lower, upper)
        case .constant(let range as Range<Bound>): (range.lowerBound, range.upperBound)
        default: nil
        }
    }
}
