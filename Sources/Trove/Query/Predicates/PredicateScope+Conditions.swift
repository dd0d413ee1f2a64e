import Foundation

/// What operators make of terms. A choice is asked in both of its ways: `(a ? b : c) == d` is `a && b == d || !a && c == d`.
extension PredicateScope {
    /// The filter that a term of type `Bool` stands for.
    func filter(_ term: PredicateTerm, of expression: some PredicateExpression) throws -> Filter {
        switch term {
        case .filter(let filter): return filter
        case .path(let path): return .comparison(.path(path), .equal, .value(.bool(true)))
        case .choice(let test, let first, let second):
            return Self.either(test, try filter(first, of: expression), try filter(second, of: expression))
        case .constant(let value):
            // A nil here is one that was unwrapped by force, which no object passes.
            guard !term.isNil else { return .constant(false) }
            guard let value = value as? Bool else { throw expression.unsupported("it is not a Bool") }
            return .constant(value)
        case .object, .outerElement, .members, .range: throw expression.unsupported("it is not a Bool")
        }
    }

    /// `test ? first : second`
    static func either(_ test: Filter, _ first: Filter, _ second: Filter) -> Filter {
        if case .constant(let value) = test { return value ? first : second }
        switch (first, second) {
        case (.constant(let one), .constant(let other)) where one == other: return first
        case (.constant(true), .constant(false)): return test
        case (.constant(false), .constant(true)): return !test
        case (.constant(true), _): return test || second
        case (.constant(false), _): return !test && second
        case (_, .constant(true)): return !test || first
        case (_, .constant(false)): return test && first
        default: return (test && first) || (!test && second)
        }
    }

    /// Whether two terms are equal.
    func equality(_ left: PredicateTerm, _ right: PredicateTerm, of expression: some PredicateExpression) throws -> Filter {
        switch (left, right) {
        case (.choice(let test, let first, let second), let other), (let other, .choice(let test, let first, let second)):
            return Self.either(test, try equality(first, other, of: expression), try equality(second, other, of: expression))
        case (.filter(let filter), let other), (let other, .filter(let filter)):
            if other.isNil { return .constant(false) }
            // A property that is nil equals neither.
            if case .path(let path) = other {
                return Self.either(filter, .comparison(.path(path), .equal, .value(.bool(true))), .comparison(.path(path), .equal, .value(.bool(false))))
            }
            return Self.either(filter, try self.filter(other, of: expression), !(try self.filter(other, of: expression)))
        case (.path(let path), let other) where other.isNil, (let other, .path(let path)) where other.isNil:
            return .isNil(path)
        case (.constant, .constant) where left.isNil || right.isNil:
            return .constant(left.isNil == right.isNil)
        default:
            return .comparison(try operand(left, of: expression), .equal, try operand(right, of: expression))
        }
    }

    /// How two terms are ordered.
    func order(
        _ left: PredicateTerm, _ comparison: Comparison, _ right: PredicateTerm, of expression: some PredicateExpression
    ) throws -> Filter {
        if case .choice(let test, let first, let second) = left {
            return Self.either(
                test, try order(first, comparison, right, of: expression), try order(second, comparison, right, of: expression))
        }
        if case .choice(let test, let first, let second) = right {
            return Self.either(
                test, try order(left, comparison, first, of: expression), try order(left, comparison, second, of: expression))
        }
        return .comparison(try operand(left, of: expression), comparison, try operand(right, of: expression))
    }

    /// A condition on each of two terms' choices.
    func condition(_ term: PredicateTerm, _ condition: (PredicateTerm) throws -> Filter) throws -> Filter {
        guard case .choice(let test, let first, let second) = term else { return try condition(term) }
        return Self.either(test, try self.condition(first, condition), try self.condition(second, condition))
    }

    /// A term with each of its choices changed.
    func mapped(_ term: PredicateTerm, _ change: (PredicateTerm) throws -> PredicateTerm) throws -> PredicateTerm {
        guard case .choice(let test, let first, let second) = term else { return try change(term) }
        return .choice(test, try mapped(first, change), try mapped(second, change))
    }

    /// A term as one side of a comparison.
    func operand(_ term: PredicateTerm, of expression: some PredicateExpression) throws -> Operand {
        switch term {
        case .path(let path): return .path(path)
        case .constant(let value): return .value(try stored(value, of: expression))
        case .filter, .choice: throw expression.unsupported("a condition is not a value to compare with")
        case .object: throw expression.unsupported("an object is not a value; compare its id or its properties")
        case .outerElement: throw expression.unsupported("a condition on the members of one collection uses a member of another")
        case .members: throw expression.unsupported("a selection of members is not a value; use contains, allSatisfy or isEmpty on it")
        case .range: throw expression.unsupported("a range is not a value; test whether it contains one")
        }
    }

    /// A constant as a field of its type would store it.
    func stored(_ value: Any, of expression: some PredicateExpression) throws -> StoredValue {
        do throws(TroveError) {
            return try StoredValue(comparing: value)
        } catch {
            throw expression.unsupported("\(error)")
        }
    }
}
