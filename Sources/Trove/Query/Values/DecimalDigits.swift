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
    init(isNegative: Bool, digits: [UInt8], exponent: Int) {
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
