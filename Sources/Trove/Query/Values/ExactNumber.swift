#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A number of any stored type, compared with those of other types by its exact value.
enum ExactNumber {
    case int(Int64)
    /// Above `Int64.max`.
    case uint(UInt64)
    case double(Double)
    case decimal(PackedDecimal)

    var isNaN: Bool {
        switch self {
        case .int, .uint: false
        case .double(let value): value.isNaN
        case .decimal(let value): value.kind == 2
        }
    }

    /// How two numbers stand to each other; no order when one is NaN.
    static func order(_ left: ExactNumber, _ right: ExactNumber) -> ValueOrder {
        switch (left, right) {
        case (.int(let left), .int(let right)): ValueOrder(left, right)
        case (.uint(let left), .uint(let right)): ValueOrder(left, right)
        case (.int, .uint): .less
        case (.uint, .int): .greater
        case (.double(let left), .double(let right)): left.isNaN || right.isNaN ? .none : ValueOrder(left, right)
        case (.int(let left), .double(let right)): order(Int128(left), right)
        case (.uint(let left), .double(let right)): order(Int128(left), right)
        case (.double(let left), .int(let right)): order(Int128(right), left).reversed
        case (.double(let left), .uint(let right)): order(Int128(right), left).reversed
        case (.decimal(let left), .decimal(let right)): left.order(to: right)
        case (.decimal(let left), .int(let right)): left.order(to: PackedDecimal(Int128(right)))
        case (.decimal(let left), .uint(let right)): left.order(to: PackedDecimal(Int128(right)))
        case (.int(let left), .decimal(let right)): PackedDecimal(Int128(left)).order(to: right)
        case (.uint(let left), .decimal(let right)): PackedDecimal(Int128(left)).order(to: right)
        case (.double(let left), .decimal(let right)): order(left, right)
        case (.decimal(let left), .double(let right)): order(right, left).reversed
        }
    }

    /// `integer` is of 64 bits.
    private static func order(_ integer: Int128, _ double: Double) -> ValueOrder {
        if double.isNaN { return .none }
        if double >= 0x1p64 { return .less }
        if double < -0x1p63 { return .greater }
        let whole = double.rounded(.towardZero)
        let order = ValueOrder(integer, Int128(whole))
        return order == .same ? ValueOrder(whole, double) : order
    }

    private static func order(_ double: Double, _ decimal: PackedDecimal) -> ValueOrder {
        if double.isNaN || decimal.kind == 2 { return .none }
        if double.isInfinite { return double < 0 ? .less : .greater }
        let near = decimal.approximation
        // Off by a few units in the last place at most; only numbers this near need their digits.
        if (double - near).magnitude > max(double.magnitude, near.magnitude) * 1e-13 { return ValueOrder(double, near) }
        return DecimalDigits(double).order(to: DecimalDigits(decimal))
    }

    /// The digits of a number that is neither NaN nor infinite.
    var digits: DecimalDigits {
        switch self {
        case .int(let value): DecimalDigits(PackedDecimal(Int128(value)))
        case .uint(let value): DecimalDigits(PackedDecimal(Int128(value)))
        case .double(let value): DecimalDigits(value)
        case .decimal(let value): DecimalDigits(value)
        }
    }

    /// The greatest `Double` that is not above the number; NaN for NaN.
    var floorDouble: Double {
        var near: Double
        switch self {
        case .double(let value): return value
        case .int(let value): near = Double(value)
        case .uint(let value): near = Double(value)
        case .decimal(let value):
            if value.kind == 2 { return .nan }
            near = value.approximation
        }
        while Self.order(.double(near), self) == .greater { near = near.nextDown }
        while Self.order(.double(near.nextUp), self) != .greater { near = near.nextUp }
        return near
    }
}

extension PackedDecimal {
    init(_ integer: Int128) {
        self.init(kind: integer < 0 ? 1 : 0, exponent: 0, mantissa: integer.magnitude)
    }

    /// The number but for a few units in the last place of a `Double`.
    var approximation: Double {
        let magnitude = Double(mantissa) * pow(10, Double(exponent))
        return kind == 1 ? -magnitude : magnitude
    }

    func order(to other: PackedDecimal) -> ValueOrder {
        if kind == 2 || other.kind == 2 { return .none }
        if mantissa == 0 || other.mantissa == 0 || kind != other.kind {
            return ValueOrder(signum, other.signum)
        }
        let order = magnitudeOrder(to: other)
        return kind == 1 ? order.reversed : order
    }

    private var signum: Int { mantissa == 0 ? 0 : kind == 1 ? -1 : 1 }

    private func magnitudeOrder(to other: PackedDecimal) -> ValueOrder {
        if exponent == other.exponent { return ValueOrder(mantissa, other.mantissa) }
        if exponent < other.exponent { return other.magnitudeOrder(to: self).reversed }
        // The mantissa with the higher exponent is scaled to the lower one; once it leaves 128 bits it is the greater.
        var scaled = mantissa
        for _ in 0..<(Int(exponent) - Int(other.exponent)) {
            let (product, overflows) = scaled.multipliedReportingOverflow(by: 10)
            if overflows { return .greater }
            scaled = product
        }
        return ValueOrder(scaled, other.mantissa)
    }
}

extension ExactNumber {
    /// Whether the number is whole and a multiple of `factor`, which is at most 2 to the 127th; of 0 only 0 is one.
    func isMultiple(of factor: UInt128) -> Bool {
        switch self {
        case .int(let value): UInt128(value.magnitude).isMultiple(of: factor)
        case .uint(let value): UInt128(value).isMultiple(of: factor)
        case .double(let value): Self.isMultiple(value, factor)
        case .decimal(let value): Self.isMultiple(value, factor)
        }
    }

    private static func isMultiple(_ value: Double, _ factor: UInt128) -> Bool {
        guard value.isFinite, value == value.rounded() else { return false }
        if value.magnitude < 0x1p127 { return UInt128(value.magnitude).isMultiple(of: factor) }
        if factor == 0 { return false }
        // A mantissa times a power of two.
        var rest = UInt128(value.significandBitPattern | 1 << 52) % factor
        for _ in 0..<value.exponent - 52 { rest = sum(rest, rest, factor) }
        return rest == 0
    }

    private static func isMultiple(_ value: PackedDecimal, _ factor: UInt128) -> Bool {
        if value.kind == 2 { return false }
        if value.mantissa == 0 { return true }
        if factor == 0 { return false }
        var mantissa = value.mantissa
        for _ in 0..<max(0, -Int(value.exponent)) {
            let (quotient, digit) = mantissa.quotientAndRemainder(dividingBy: 10)
            guard digit == 0 else { return false }
            mantissa = quotient
        }
        var rest = mantissa % factor
        for _ in 0..<max(0, Int(value.exponent)) {
            let double = sum(rest, rest, factor)
            let fivefold = sum(sum(double, double, factor), rest, factor)
            rest = sum(fivefold, fivefold, factor)
        }
        return rest == 0
    }

    /// The rest of a sum; both are below the factor, so nothing overflows.
    private static func sum(_ left: UInt128, _ right: UInt128, _ factor: UInt128) -> UInt128 { (left + right) % factor }
}
