import Foundation

/// A decimal is a class byte (negative 0, zero 1, positive 2, NaN 3), the power of ten of its first
/// digit, then its digits two in a byte, ended by 0; all but the class inverted for negative numbers.
/// Numbers that are equal have the same bytes, however they were written (1.0 and 1).
extension Decimal: StorableKey {
    public func encode(into key: inout KeyEncoder) {
        if isNaN { return key.append(3) }
        if isZero { return key.append(1) }
        let (isNegative, exponent, mantissa) = parts
        var digits = String(mantissa).utf8.map { $0 - 48 }
        let power = digits.count + exponent
        while digits.last == 0 { digits.removeLast() }
        if !digits.count.isMultiple(of: 2) { digits.append(0) }
        let mask: UInt8 = isNegative ? 0xFF : 0
        key.append(isNegative ? 0 : 2)
        key.append(bigEndian: UInt16(power + 0x8000) ^ (isNegative ? 0xFFFF : 0))
        for index in stride(from: 0, to: digits.count, by: 2) {
            key.append((digits[index] * 10 + digits[index + 1] + 1) ^ mask)
        }
        key.append(mask)
    }

    public init(from key: inout KeyDecoder) throws {
        let kind = try key.byte()
        if kind == 3 { self = .nan; return }
        if kind == 1 { self = 0; return }
        guard kind == 0 || kind == 2 else { throw TroveError.corruptKey(reason: "a decimal of class \(kind)") }
        let mask: UInt8 = kind == 0 ? 0xFF : 0
        let power = Int(try key.bigEndian(UInt16.self) ^ (kind == 0 ? 0xFFFF : 0)) - 0x8000
        var digits: [UInt8] = []
        while true {
            let byte = try key.byte() ^ mask
            if byte == 0 { break }
            guard byte <= 100, digits.count < 40 else { throw TroveError.corruptKey(reason: "bad digits of a decimal") }
            digits.append((byte - 1) / 10)
            digits.append((byte - 1) % 10)
        }
        while digits.last == 0 { digits.removeLast() }
        var exponent = power - digits.count
        // A power above Foundation's greatest is kept in zeros of the mantissa, as it was before they were dropped.
        while exponent > Int(Int8.max), digits.count < 39 {
            digits.append(0)
            exponent -= 1
        }
        var mantissa: UInt128 = 0
        for digit in digits {
            let (shifted, isTooLarge) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = shifted.addingReportingOverflow(UInt128(digit))
            guard !isTooLarge, !overflows else { throw TroveError.corruptKey(reason: "a decimal of too many digits") }
            mantissa = sum
        }
        guard let value = Decimal(isNegative: kind == 0, exponent: exponent, mantissa: mantissa) else {
            throw TroveError.corruptKey(reason: "a decimal with the exponent \(exponent)")
        }
        self = value
    }
}
