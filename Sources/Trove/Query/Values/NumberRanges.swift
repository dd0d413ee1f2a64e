extension FixedWidthInteger {
    /// The values of the type that pass a comparison with a number; nil when none does.
    ///
    /// `comparison` is not `!=`.
    static func range(of comparison: Comparison, _ number: ExactNumber) -> ClosedRange<Self>? {
        let place = IntegerPlace<Self>(number)
        switch (comparison, place) {
        case (_, .none): return nil
        case (.equal, .at(let value)), (.notEqual, .at(let value)): return value...value
        case (.equal, _), (.notEqual, _): return nil
        case (.less, .at(let value)): return value == min ? nil : min...(value - 1)
        case (.greater, .at(let value)): return value == max ? nil : (value + 1)...max
        case (.lessOrEqual, .at(let value)): return min...value
        case (.greaterOrEqual, .at(let value)): return value...max
        case (.less, .above(let floor)), (.lessOrEqual, .above(let floor)): return min...floor
        case (.greater, .above(let floor)), (.greaterOrEqual, .above(let floor)): return floor == max ? nil : (floor + 1)...max
        case (.less, .below), (.lessOrEqual, .below): return nil
        case (.greater, .below), (.greaterOrEqual, .below): return min...max
        }
    }
}

/// Where a number is among the integers of a type.
enum IntegerPlace<Value: FixedWidthInteger> {
    /// The number is this integer.
    case at(Value)
    /// This is the greatest integer below the number.
    case above(Value)
    /// All integers are above the number.
    case below
    /// The number is NaN.
    case none

    init(_ number: ExactNumber) {
        switch number {
        case .int(let value): self.init(whole: value, isExact: true)
        case .uint(let value): self.init(whole: value, isExact: true)
        case .double(let value): self.init(value)
        case .decimal(let value): self.init(value)
        }
    }

    /// - Parameter isExact: false for a number between this integer and the next.
    private init(whole: some BinaryInteger, isExact: Bool) {
        if let value = Value(exactly: whole) {
            self = isExact ? .at(value) : .above(value)
        } else {
            self = whole < 0 ? .below : .above(.max)
        }
    }

    private init(_ number: Double) {
        if number.isNaN {
            self = .none
        } else if let value = Value(exactly: number.rounded(.down)) {
            self = number == number.rounded(.down) ? .at(value) : .above(value)
        } else {
            self = number < 0 ? .below : .above(.max)
        }
    }

    private init(_ decimal: PackedDecimal) {
        guard decimal.kind != 2 else {
            self = .none
            return
        }
        let isNegative = decimal.kind == 1
        var whole = decimal.mantissa
        var isWhole = true
        for _ in 0..<Int(decimal.exponent).magnitude {
            if decimal.exponent < 0 {
                isWhole = isWhole && whole.isMultiple(of: 10)
                whole /= 10
            } else {
                let (product, overflows) = whole.multipliedReportingOverflow(by: 10)
                guard !overflows else {
                    self = isNegative ? .below : .above(.max)
                    return
                }
                whole = product
            }
        }
        guard isNegative else {
            self.init(whole: whole, isExact: isWhole)
            return
        }
        // The next integer below a negative number is further from zero.
        guard isWhole || whole < .max, let value = Value(negating: isWhole ? whole : whole + 1) else {
            self = .below
            return
        }
        self = isWhole ? .at(value) : .above(value)
    }
}

/// The doubles that pass a comparison with a number, as a closed range.
struct DoubleBounds {
    let lower: Double
    let upper: Double

    /// Also true when a bound is NaN.
    var isEmpty: Bool { !(lower <= upper) }

    /// `comparison` is not `!=`.
    init(_ comparison: Comparison, _ number: ExactNumber) {
        let floor = number.floorDouble
        let isExact = ExactNumber.order(.double(floor), number) == .same
        let ceiling = isExact ? floor : floor.nextUp
        (lower, upper) =
            switch comparison {
            case .equal, .notEqual: (ceiling, floor)
            case .less: (-.infinity, ceiling == -.infinity ? .nan : ceiling.nextDown)
            case .lessOrEqual: (-.infinity, floor)
            case .greater: (floor == .infinity ? .nan : floor.nextUp, .infinity)
            case .greaterOrEqual: (ceiling, .infinity)
            }
    }
}
