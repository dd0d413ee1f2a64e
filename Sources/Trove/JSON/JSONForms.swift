import Foundation

// The texts by which JSON has values that its own syntax does not know.

/// A type of floating-point numbers, by its bits.
protocol JSONSpecialFloat: BinaryFloatingPoint {
    /// The bits of the NaN that Swift makes.
    static var plainNaN: UInt64 { get }
    var bits: UInt64 { get }
    init(bits: UInt64)
}

extension Double: JSONSpecialFloat {
    static var plainNaN: UInt64 { Double.nan.bitPattern }
    var bits: UInt64 { bitPattern }
    init(bits: UInt64) { self.init(bitPattern: bits) }
}

extension Float: JSONSpecialFloat {
    static var plainNaN: UInt64 { UInt64(Float.nan.bitPattern) }
    var bits: UInt64 { UInt64(bitPattern) }
    init(bits: UInt64) { self.init(bitPattern: UInt32(truncatingIfNeeded: bits)) }
}

/// Numbers without digits: `inf`, `-inf`, `nan`, and one that is none with other bits as `nan:7ff8000000000001`.
enum JSONSpecial {
    static func text<Value: JSONSpecialFloat>(_ value: Value) -> String {
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        return value.bits == Value.plainNaN ? "nan" : "nan:" + String(value.bits, radix: 16)
    }

    /// nil when the text is none of them.
    static func bits<Value: JSONSpecialFloat>(_ text: UnsafeRawBufferPointer, of type: Value.Type) -> UInt64? {
        switch String(storedUTF8: text) {
        case "inf": return Value.infinity.bits
        case "-inf": return (-Value.infinity).bits
        case "nan": return Value.plainNaN
        case let other:
            guard other.hasPrefix("nan:"), let bits = UInt64(other.dropFirst(4), radix: 16) else { return nil }
            let value = Value(bits: bits)
            return value.isNaN && value.bits == bits ? bits : nil
        }
    }
}

extension PackedDecimal {
    /// The digits with a point where it stands among them or near, else with an exponent.
    var jsonText: String {
        if kind > 1 { return "nan" }
        let sign = kind == 1 ? "-" : ""
        let digits = String(mantissa)
        if exponent == 0 { return sign + digits }
        guard exponent < 0, exponent >= -40 else { return "\(sign)\(digits)e\(exponent)" }
        let padded = String(repeating: "0", count: max(0, 1 - Int(exponent) - digits.count)) + digits
        return sign + padded.dropLast(-Int(exponent)) + "." + padded.suffix(-Int(exponent))
    }

    /// The decimal that a text tells exactly, with as many digits; nil when there is none.
    init?(jsonText text: UnsafeRawBufferPointer) {
        if text.elementsEqual("nan".utf8) {
            self.init(kind: 2, exponent: 0, mantissa: 0)
            return
        }
        guard let form = JSONParser.numberForm(of: text) else { return nil }
        let isNegative = form.isNegative
        var mantissa: UInt128 = 0
        for byte in text.prefix(while: { $0 | 0x20 != UInt8(ascii: "e") }) where byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".") {
            let digit = byte &- UInt8(ascii: "0")
            let (product, isTooLarge) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(UInt128(digit))
            guard digit < 10, !isTooLarge, !overflows else { return nil }
            mantissa = sum
        }
        guard let stored = Int8(exactly: form.exponent) else { return nil }
        let told = PackedDecimal(kind: isNegative && mantissa != 0 ? 1 : 0, exponent: stored, mantissa: mantissa)
        // As Foundation keeps it, which need not have room for so many digits.
        guard let decimal = told.decimal else { return nil }
        self.init(decimal)
        guard isSameNumber(as: told) else { return nil }
    }

    private func isSameNumber(as other: PackedDecimal) -> Bool {
        let (own, others) = (withoutZeros, other.withoutZeros)
        return kind == other.kind && own.mantissa == others.mantissa && (own.mantissa == 0 || own.exponent == others.exponent)
    }

    private var withoutZeros: (mantissa: UInt128, exponent: Int) {
        var (mantissa, exponent) = (mantissa, Int(exponent))
        while mantissa != 0, mantissa.isMultiple(of: 10) {
            mantissa /= 10
            exponent += 1
        }
        return (mantissa, exponent)
    }
}

extension ObjectID {
    /// The id in the 36 characters of a UUID; nil when the text is something else.
    init?(jsonText text: UnsafeRawBufferPointer) {
        guard text.count == 36 else { return nil }
        var number: UInt128 = 0
        for (position, byte) in text.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Hexadecimal.value(of: byte) else { return nil }
            number = number << 4 | UInt128(digit)
        }
        self.init(high: UInt64(truncatingIfNeeded: number >> 64), low: UInt64(truncatingIfNeeded: number))
    }
}

/// Base 64 of RFC 4648, with its padding.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let pad = UInt8(ascii: "=")

    static func encode(_ data: UnsafeRawBufferPointer, into output: inout ByteWriter) {
        output.reserve((data.count + 2) / 3 * 4)
        alphabet.withUnsafeBufferPointer { alphabet in
            for start in stride(from: 0, to: data.count, by: 3) {
                let rest = data.count - start
                let word = UInt32(data[start]) << 16 | (rest > 1 ? UInt32(data[start + 1]) << 8 : 0) | (rest > 2 ? UInt32(data[start + 2]) : 0)
                output.append(alphabet[Int(word >> 18)])
                output.append(alphabet[Int(word >> 12 & 63)])
                output.append(rest > 1 ? alphabet[Int(word >> 6 & 63)] : pad)
                output.append(rest > 2 ? alphabet[Int(word & 63)] : pad)
            }
        }
    }

    /// How many bytes a text stands for; nil when its length is that of none.
    static func decodedSize(_ text: UnsafeRawBufferPointer) -> Int? {
        guard text.count.isMultiple(of: 4) else { return nil }
        return text.count / 4 * 3 - text.suffix(2).count { $0 == pad }
    }

    /// Appends the bytes; false when the text is no base 64, or not the one text of its bytes.
    static func decode(_ text: UnsafeRawBufferPointer, into output: inout ByteWriter) -> Bool {
        let padding = text.suffix(2).count { $0 == pad }
        guard padding < 2 || text.suffix(2).allSatisfy({ $0 == pad }), padding != 1 || text.last == pad else { return false }
        var word: UInt32 = 0
        let digits = text.dropLast(padding)
        for (position, byte) in digits.enumerated() {
            guard let value = value(of: byte) else { return false }
            word = word << 6 | UInt32(value)
            if position & 3 == 3 {
                output.append(UInt8(truncatingIfNeeded: word >> 16))
                output.append(UInt8(truncatingIfNeeded: word >> 8))
                output.append(UInt8(truncatingIfNeeded: word))
                word = 0
            }
        }
        switch padding {
        case 1:
            guard word & 3 == 0 else { return false }
            output.append(UInt8(truncatingIfNeeded: word >> 10))
            output.append(UInt8(truncatingIfNeeded: word >> 2))
        case 2:
            guard word & 15 == 0 else { return false }
            output.append(UInt8(truncatingIfNeeded: word >> 4))
        default: break
        }
        return true
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// The names by which JSON tells a value's type where its own syntax does not: `{"$date": "2001-01-01T00:00:00Z"}`.
///
/// A tag is the only name of its object. Other names that begin with `$` get a second one.
enum JSONTag: String, CaseIterable {
    case int = "$int"
    case float = "$float"
    case double = "$double"
    case decimal = "$decimal"
    case data = "$data"
    case url = "$url"
    case date = "$date"
    case duration = "$duration"
    case uuid = "$uuid"
    case objectID = "$objectID"
    case geoPoint = "$geoPoint"
    case dictionary = "$dictionary"

    static let mark = UInt8(ascii: "$")

    /// Integers up to this one, and down to its negative, are written as plain numbers: those that every reader of JSON takes for what they are.
    static let maxPlainInteger: Int64 = 1 << 53 - 1

    private static let names = allCases.map { (tag: $0, name: Array($0.rawValue.utf8)) }

    init?(_ name: UnsafeRawBufferPointer) {
        guard let known = Self.names.first(where: { known in known.name.withUnsafeBytes { $0.hasBytes(of: name) } }) else { return nil }
        self = known.tag
    }

    /// All names, for messages.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes.
    @inline(__always)
    func hasBytes(of other: UnsafeRawBufferPointer) -> Bool { count == other.count && KeyList.compare(self, other) == 0 }

    @inline(__always)
    func hasBytes(of text: StaticString) -> Bool { hasBytes(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }
}
