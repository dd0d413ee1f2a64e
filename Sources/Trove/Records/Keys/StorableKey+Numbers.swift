import Foundation

extension Bool: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) { key.append(self ? 1 : 0) }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        let byte = try key.byte()
        guard byte < 2 else { throw KeyFault.notABool(byte) }
        self = byte == 1
    }
}

extension StorableKey where Self: FixedWidthInteger & UnsignedInteger & BitwiseCopyable {
    @inlinable
    public func encode(into key: inout KeyEncoder) { key.append(bigEndian: self) }

    @inlinable
    public init(from key: inout KeyDecoder) throws { self = try key.bigEndian() }
}

/// Signed integers sort as unsigned ones once the sign bit is flipped.
extension StorableKey where Self: FixedWidthInteger & SignedInteger, Magnitude: FixedWidthInteger & UnsignedInteger & BitwiseCopyable {
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        key.append(bigEndian: Magnitude(truncatingIfNeeded: self) ^ Self.signBit)
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        self = Self(truncatingIfNeeded: try key.bigEndian(Magnitude.self) ^ Self.signBit)
    }

    @inlinable
    static var signBit: Magnitude { Magnitude(1) << (bitWidth - 1) }
}

extension Int: StorableKey {}
extension Int8: StorableKey {}
extension Int16: StorableKey {}
extension Int32: StorableKey {}
extension Int64: StorableKey {}
extension UInt: StorableKey {}
extension UInt8: StorableKey {}
extension UInt16: StorableKey {}
extension UInt32: StorableKey {}
extension UInt64: StorableKey {}

/// IEEE 754 numbers sort as unsigned integers once negative ones are inverted and others get the sign bit.
/// -0.0 is stored as 0.0, which it equals; every NaN as the one that comes last.
extension Double: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        guard !isNaN else { return key.append(bigEndian: UInt64.max) }
        let bits = self == 0 ? 0 : bitPattern
        key.append(bigEndian: bits >> 63 == 1 ? ~bits : bits | 1 << 63)
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        let bits = try key.bigEndian(UInt64.self)
        self = bits == .max ? .nan : Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    }
}

/// As `Double`, in 32 bits.
extension Float: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        guard !isNaN else { return key.append(bigEndian: UInt32.max) }
        let bits = self == 0 ? 0 : bitPattern
        key.append(bigEndian: bits >> 31 == 1 ? ~bits : bits | 1 << 31)
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        let bits = try key.bigEndian(UInt32.self)
        self = bits == .max ? .nan : Float(bitPattern: bits >> 31 == 1 ? bits & ~(1 << 31) : ~bits)
    }
}

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
