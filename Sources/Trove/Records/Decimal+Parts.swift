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
