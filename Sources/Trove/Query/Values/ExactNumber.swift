#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A finite number by all its decimal digits, exactly: ±0.d₁d₂d₃… × 10^power.
struct DecimalDigits {
    let isNegative: Bool
    /// 0 to 9, without zeros at either end; empty for zero.
    private(set) var digits: [UInt8]
    private(set) var power: Int

    init(_ decimal: PackedDecimal) {
        self.init(isNegative: decimal.kind == 1, digits: String(decimal.mantissa).utf8.map { $0 - 48 }, exponent: Int(decimal.exponent))
    }

    /// `number` is finite.
    init(_ number: Double) {
        // A double is an integer times a power of two; 2^-n is 5^n / 10^n, so its digits end.
        let bits = number.bitPattern
        let biased = Int(bits >> 52 & 0x7FF)
        var mantissa = bits & 0xF_FFFF_FFFF_FFFF | (biased == 0 ? 0 : 1 << 52)
        var exponent = max(biased, 1) - 1075
        let zeros = mantissa == 0 ? 0 : mantissa.trailingZeroBitCount
        mantissa >>= UInt64(zeros)
        exponent += zeros
        var magnitude = LargeMagnitude(mantissa)
        if mantissa != 0 { for _ in 0..<exponent.magnitude { magnitude.multiply(by: exponent < 0 ? 5 : 2) } }
        self.init(isNegative: number.sign == .minus, digits: magnitude.decimalDigits(), exponent: min(exponent, 0))
    }

    /// ±digits × 10^exponent, the digits those of an integer.
    private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
        let significant = digits.drop { $0 == 0 }
        let end = significant.lastIndex { $0 != 0 }
        self.isNegative = isNegative && end != nil
        self.digits = end.map { Array(significant[...$0]) } ?? []
        power = end == nil ? 0 : significant.count + exponent
    }

    func order(to other: DecimalDigits) -> ValueOrder {
        let signs = ValueOrder(signum, other.signum)
        guard signs == .same, !digits.isEmpty else { return signs }
        var order = ValueOrder(power, other.power)
        if order == .same {
            order = digits == other.digits ? .same : digits.lexicographicallyPrecedes(other.digits) ? .less : .greater
        }
        return isNegative ? order.reversed : order
    }

    private var signum: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    /// Appends the bytes that a `Decimal` of this value has as a key.
    func appendKey(to bytes: inout ByteWriter) {
        if digits.isEmpty { return bytes.append(1 as UInt8) }
        let mask: UInt8 = isNegative ? 0xFF : 0
        bytes.append(isNegative ? 0 : 2 as UInt8)
        bytes.append((UInt16(power + 0x8000) ^ (isNegative ? 0xFFFF : 0)).bigEndian)
        for index in stride(from: 0, to: digits.count, by: 2) {
            let low = index + 1 < digits.count ? digits[index + 1] : 0
            bytes.append((digits[index] * 10 + low + 1) ^ mask)
        }
        bytes.append(mask)
    }
}

/// An integer without sign and bound, for the digits of doubles.
struct LargeMagnitude {
    /// The least significant first.
    private var words: [UInt32]

    init(_ value: UInt64) {
        words = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    }

    mutating func multiply(by factor: UInt32) {
        var carry: UInt64 = 0
        for index in words.indices {
            let product = UInt64(words[index]) * UInt64(factor) + carry
            words[index] = UInt32(truncatingIfNeeded: product)
            carry = product >> 32
        }
        if carry > 0 { words.append(UInt32(carry)) }
    }

    /// The digits, the most significant first, possibly after zeros.
    func decimalDigits() -> [UInt8] {
        var rest = words
        var digits: [UInt8] = []
        while !rest.isEmpty {
            var remainder: UInt64 = 0
            for index in rest.indices.reversed() {
                let dividend = remainder << 32 | UInt64(rest[index])
                rest[index] = UInt32(dividend / 1_000_000_000)
                remainder = dividend % 1_000_000_000
            }
            while rest.last == 0 { rest.removeLast() }
            for _ in 0..<9 {
                digits.append(UInt8(remainder % 10))
                remainder /= 10
            }
        }
        return digits.reversed()
    }
}

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
