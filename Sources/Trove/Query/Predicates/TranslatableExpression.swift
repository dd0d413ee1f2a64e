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

/// What an expression of a `#Predicate` stands for, as far as a store can tell.
indirect enum PredicateTerm {
    /// A value that is the same for all objects.
    case constant(Any)
    /// The object itself.
    case object
    /// The element of a quantifier around the one whose condition is being translated.
    case outerElement
    /// What a path leads to.
    case path(FieldPath)
    /// A `Bool` that an object decides.
    case filter(Filter)
    /// One term or another, as the filter decides.
    case choice(Filter, PredicateTerm, PredicateTerm)
    /// The members of a collection of which a filter is true.
    case members(FieldPath, CollectionPart, Filter)
    /// The values between two others.
    case range(PredicateTerm, PredicateTerm, isClosed: Bool)

    /// Whether the term names the element of the quantifier it stands in.
    var namesElement: Bool {
        switch self {
        case .path(let path): path.field.isEmpty
        case .members(let path, _, _): path.field.isEmpty
        case .choice(_, let first, let second), .range(let first, let second, _): first.namesElement || second.namesElement
        case .constant, .object, .outerElement, .filter: false
        }
    }

    /// Whether it is a constant nil.
    var isNil: Bool {
        if case .constant(let value as any AnyOptional) = self { value.anyWrapped == nil } else { false }
    }
}

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
