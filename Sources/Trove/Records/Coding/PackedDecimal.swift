import Foundation

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
