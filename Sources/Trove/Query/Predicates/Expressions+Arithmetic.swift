import Foundation

/// Integers are computed here: Foundation's evaluation would stop the program when one overflows.
extension PredicateExpressions.Arithmetic: TranslatableExpression {
    private var sign: String {
        switch op {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        @unknown default: "?"
        }
    }

    var source: String { "(\(lhs.sourceText) \(sign) \(rhs.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case (.constant(let left), .constant(let right)) = (try scope.term(lhs), try scope.term(rhs)) else {
            throw unsupported(PredicateScope.noArithmetic)
        }
        guard let left = left as? any FixedWidthInteger else { return try constant(in: scope) }
        return try checked(left, right)
    }

    private func checked<Integer: FixedWidthInteger>(_ left: Integer, _ right: Any) throws -> PredicateTerm {
        guard let right = right as? Integer else { throw unsupported("its value cannot be computed") }
        let (value, overflow) =
            switch op {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            @unknown default: (left, true)
            }
        guard !overflow else { throw unsupported("its value does not fit \(Integer.self)") }
        return .constant(value)
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    var source: String { "-\(wrapped.sourceText)" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let value) = try scope.term(wrapped) else {
            throw unsupported(PredicateScope.noArithmetic)
        }
        guard let integer = value as? any FixedWidthInteger else { return try constant(in: scope) }
        return try negated(integer)
    }

    private func negated<Integer: FixedWidthInteger>(_ value: Integer) throws -> PredicateTerm {
        let (negative, overflow) = Integer.zero.subtractingReportingOverflow(value)
        guard !overflow else { throw unsupported("its value does not fit \(Integer.self)") }
        return .constant(negative)
    }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
    var source: String { "(\(lhs.sourceText) / \(rhs.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.division(lhs, rhs, of: self) { left, right in left.dividedReportingOverflow(by: right) }
    }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
    var source: String { "(\(lhs.sourceText) % \(rhs.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.division(lhs, rhs, of: self) { left, right in left.remainderReportingOverflow(dividingBy: right) }
    }
}

/// `year % 4` where it is compared with 0, which asks for multiples. All other remainders of properties are refused.
protocol RemainderExpression: PredicateExpression {
    /// The filter of the multiples; nil when both sides are the same for all objects.
    func multiples(in scope: PredicateScope) throws -> Filter?
}

extension PredicateExpressions.IntRemainder: RemainderExpression {
    func multiples(in scope: PredicateScope) throws -> Filter? {
        let (left, right) = (try scope.term(lhs), try scope.term(rhs))
        if case .constant = left { return nil }
        guard case .constant(let value) = right, let number = value as? any BinaryInteger else { throw unsupported(PredicateScope.noArithmetic) }
        guard let factor = Int128(exactly: number) else {
            throw unsupported("the multiples of \(number) are sought, which is more than 128 bits with a sign hold")
        }
        guard factor != 0 else { throw unsupported("it divides by zero") }
        return .some(try scope.condition(left) { term in
            switch term {
            case .path(let path): return .isMultiple(path, of: factor)
            case .constant(let value) where term.isNil || !(value is any BinaryInteger): return .constant(false)
            case .constant(let value):
                let number = (value as? any BinaryInteger).flatMap { Int128(exactly: $0) }
                return .constant(number?.isMultiple(of: factor) ?? false)
            default: throw unsupported(PredicateScope.noArithmetic)
            }
        })
    }
}

extension PredicateScope {
    /// The filter that a comparison of a remainder with 0 stands for; nil when it is none.
    func multiples(_ left: some PredicateExpression, _ right: some PredicateExpression) throws -> Filter? {
        guard let remainder = left as? any RemainderExpression, case .constant(let value) = try term(right),
            (value as? any BinaryInteger).flatMap({ Int128(exactly: $0) }) == 0
        else { return nil }
        return try remainder.multiples(in: self)
    }
}

extension PredicateExpressions.FloatDivision: ConstantExpression {
    var source: String { "(\(lhs.sourceText) / \(rhs.sourceText))" }

    func isConstant(in scope: PredicateScope) throws -> Bool { try scope.isConstant(lhs) && scope.isConstant(rhs) }

    var refusal: String { PredicateScope.noArithmetic }
}

extension PredicateScope {
    fileprivate static let noArithmetic =
        "a store does not compute with properties; move the arithmetic to the other side, or index a derived value"

    /// The result of dividing integers of at most 128 bits, which all of Swift's are.
    fileprivate func division<Value: BinaryInteger>(
        _ left: some PredicateExpression<Value>, _ right: some PredicateExpression<Value>, of expression: some PredicateExpression,
        _ divide: (Int128, Int128) -> (Int128, overflow: Bool)
    ) throws -> PredicateTerm {
        guard case (.constant(let left), .constant(let right)) = (try term(left), try term(right)) else {
            throw expression.unsupported(Self.noArithmetic)
        }
        guard let left = (left as? Value).flatMap({ Int128(exactly: $0) }), let right = (right as? Value).flatMap({ Int128(exactly: $0) }) else {
            throw expression.unsupported("its value cannot be computed")
        }
        let (result, overflow) = divide(left, right)
        guard !overflow, let value = Value(exactly: result) else { throw expression.unsupported("its value does not fit \(Value.self)") }
        return .constant(value)
    }
}
