/// The integers that pass a comparison with a number, as a closed range; the bounds are far outside of 64 bits where there is none.
struct IntegerBounds {
    let lower: Int128
    let upper: Int128

    var isEmpty: Bool { lower > upper }

    private static let far: Int128 = 1 << 100

    /// `comparison` is not `!=`.
    init(_ comparison: Comparison, _ number: ExactNumber) {
        guard let (floor, ceiling) = Self.neighbours(of: number) else {
            (lower, upper) = (1, 0)
            return
        }
        (lower, upper) =
            switch comparison {
            case .equal, .notEqual: (ceiling, floor)
            case .less: (-Self.far, ceiling - 1)
            case .lessOrEqual: (-Self.far, floor)
            case .greater: (floor + 1, Self.far)
            case .greaterOrEqual: (ceiling, Self.far)
            }
    }

    /// The integers next to a number, both it itself when it is one; nil for NaN.
    private static func neighbours(of number: ExactNumber) -> (floor: Int128, ceiling: Int128)? {
        switch number {
        case .int(let value): return (Int128(value), Int128(value))
        case .uint(let value): return (Int128(value), Int128(value))
        case .double(let value):
            if value.isNaN { return nil }
            // Beyond all integers of 64 bits one number is like another.
            let near = min(max(value, -0x1p66), 0x1p66)
            return (Int128(near.rounded(.down)), Int128(near.rounded(.up)))
        case .decimal(let value):
            if value.kind == 2 { return nil }
            let (floor, isWhole) = magnitude(value)
            return value.kind == 1 ? (-floor - (isWhole ? 0 : 1), -floor) : (floor, floor + (isWhole ? 0 : 1))
        }
    }

    private static func magnitude(_ decimal: PackedDecimal) -> (floor: Int128, isWhole: Bool) {
        var whole = decimal.mantissa
        var isWhole = true
        for _ in 0..<Int(decimal.exponent).magnitude {
            if decimal.exponent < 0 {
                isWhole = isWhole && whole.isMultiple(of: 10)
                whole /= 10
            } else {
                whole = min(whole, UInt128(far.magnitude)) * 10
            }
        }
        return (Int128(min(whole, UInt128((1 as Int128) << 66))), isWhole)
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
