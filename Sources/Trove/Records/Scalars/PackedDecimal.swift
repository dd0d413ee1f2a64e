import Foundation

extension Decimal {
    /// The number as ±mantissa × 10^exponent, exactly. Not for NaN.
    ///
    /// Foundation keeps the mantissa's words private on Linux, so it goes through its decimal digits.
    var parts: (isNegative: Bool, exponent: Int, mantissa: UInt128) {
        let digits = significand.description.utf8.filter { $0 >= 48 && $0 <= 57 }
        let mantissa = digits.reduce(UInt128(0)) { $0 &* 10 &+ UInt128($1 &- 48) }
        return (isSignMinus && !isZero, exponent, mantissa)
    }

    /// The number ±mantissa × 10^exponent; nil when the exponent is not in -128...127.
    init?(isNegative: Bool, exponent: Int, mantissa: UInt128) {
        guard exponent >= Int(Int8.min), exponent <= Int(Int8.max),
            let significand = Decimal(string: String(mantissa), locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        self.init(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }
}

/// A `Decimal` in 18 bytes.
struct PackedDecimal {
    /// 0 positive or zero, 1 negative, 2 not a number.
    var kind: UInt8
    var exponent: Int8
    var mantissa: UInt128

    init(kind: UInt8, exponent: Int8, mantissa: UInt128) {
        self.kind = kind
        self.exponent = exponent
        self.mantissa = mantissa
    }

    init(_ decimal: Decimal) {
        guard !decimal.isNaN else {
            self.init(kind: 2, exponent: 0, mantissa: 0)
            return
        }
        let (isNegative, exponent, mantissa) = decimal.parts
        self.init(kind: isNegative ? 1 : 0, exponent: Int8(clamping: exponent), mantissa: mantissa)
    }

    /// The decimal; nil when these are not the bytes of one.
    var decimal: Decimal? {
        switch kind {
        case 0, 1: Decimal(isNegative: kind == 1, exponent: Int(exponent), mantissa: mantissa)
        case 2: .nan
        default: nil
        }
    }
}
