import Foundation

/// Stored as 18 bytes: sign or NaN, power of ten, mantissa; exact for every decimal.
extension Decimal: Storable {
    public static var fieldType: FieldType { .decimal }

    public func encodeField(into record: inout RecordEncoder) throws {
        let packed = PackedDecimal(self)
        record.appendFixed(packed.kind)
        record.appendFixed(packed.exponent)
        record.appendFixed(packed.mantissa.littleEndian)
    }

    public static func decodeField(from record: inout RecordDecoder) throws -> Decimal {
        let packed = PackedDecimal(
            kind: try record.fixed(), exponent: try record.fixed(), mantissa: UInt128(littleEndian: try record.fixed()))
        guard let decimal = packed.decimal else { throw DecodingFault.damaged("bad bytes of a decimal") }
        return decimal
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        let packed = PackedDecimal(self)
        bytes.append(tag: .decimal)
        bytes.append(packed.kind)
        bytes.append(packed.exponent)
        bytes.append(packed.mantissa.littleEndian)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Decimal {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .decimal(let decimal) = value else { throw value.mismatch(Self.self) }
        return decimal
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

extension Decimal: Scalar {
    static var typeName: String { "Decimal" }
    static var fixedSize: Int? { 18 }
    static var valueClass: ValueClass { .number }
    static var partForm: PartForm { .decimal }
    static var partTellsValue: Bool { false }
    var storedValue: StoredValue { .decimal(self) }

    init?(lossless value: StoredValue) {
        switch value {
        case .decimal(let value): self = value
        case .int(let value): self.init(value)
        case .uint(let value): self.init(value)
        default: return nil
        }
    }

    static func fieldValue(at place: UnsafeRawPointer) throws -> FieldValue {
        .decimal(
            try PackedDecimal(
                kind: place.load(as: UInt8.self), exponent: place.load(fromByteOffset: 1, as: Int8.self),
                mantissa: UInt128(littleEndian: place.loadUnaligned(fromByteOffset: 2, as: UInt128.self))
            ).checked())
    }

    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue { .decimal(PackedDecimal(try Decimal(from: &key))) }

    static var hasTextForm: Bool { true }
    init?(text: String) { self.init(wholeText: text) }
    static var literalWord: String? { "decimal" }
    static var literalForm: String { "a number of at most 38 digits that a Decimal holds, or 'nan'" }

    init?(literalText text: String) {
        if text == "nan" { self = .nan } else { self.init(literalDigits: text) }
    }

    init?(literalDigits digits: String) { self.init(exactly: digits) }

    func literal(_ cut: (String) -> String) -> String {
        if isNaN { return "decimal 'nan'" }
        let parts = parts
        return "decimal " + ((-30...0).contains(parts.exponent) ? description : (parts.isNegative ? "-" : "") + "\(parts.mantissa)e\(parts.exponent)")
    }
}

extension Decimal {
    /// The decimal that a text is the whole of, with a point whatever the locale; nil when it is none.
    fileprivate init?(wholeText text: String) {
        let rest = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        guard text.utf8.count - rest.count < 2, rest.contains(where: { $0 >= 48 && $0 < 58 }),
            rest.allSatisfy({ $0 >= 48 && $0 < 58 || $0 == UInt8(ascii: ".") }), rest.count(where: { $0 == UInt8(ascii: ".") }) < 2
        else { return nil }
        self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}

extension Decimal {
    /// The number that digits with a point and exponent tell, when a decimal holds it exactly.
    init?(exactly text: String) {
        let halves = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        guard let power = halves.count == 1 ? 0 : Int(halves[1]) else { return nil }
        let first = halves[0]
        let sides = first.dropFirst(first.hasPrefix("-") ? 1 : 0).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        // An integer takes a sign, which is none of its digits here.
        guard sides.contains(where: { !$0.isEmpty }), sides.allSatisfy({ $0.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } }) else { return nil }
        let digits = sides.joined().reversed().drop { $0 == "0" }
        let zeros = sides.joined().count - digits.count
        guard let mantissa = UInt128(digits.isEmpty ? "0" : String(digits.reversed())), (-999...999).contains(power) else { return nil }
        self.init(
            isNegative: first.hasPrefix("-"), exponent: mantissa == 0 ? 0 : power - (sides.count > 1 ? sides[1].count : 0) + zeros, mantissa: mantissa)
    }
}

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
        let sign: FloatingPointSign = isNegative && mantissa > 0 ? .minus : .plus
        self.init(sign: sign, exponent: exponent, significand: significand)
        // Foundation moves the zeros at a mantissa's end to the exponent, also where that has no room for them.
        if isNaN, let rest = Decimal(isNegative: isNegative, exponent: exponent, mantissa: mantissa - 1) {
            self = rest + Decimal(sign: sign, exponent: exponent, significand: 1)
        }
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
