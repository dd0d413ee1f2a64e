import Foundation
import Trove

/// How a column of CSV is read.
public enum ColumnType: String, CaseIterable, Sendable {
    /// As integers, doubles, Bools or dates, when every value of the column is written just as such a value is written again; as texts otherwise.
    ///
    /// So 007 stays 007, and 1.10 beside 1.9 stays 1.10. Doubles and fractions of seconds may have zeros at their end where all of a column have as many digits
    /// behind the point, as prices have: 2.50 and 10.00. The dates of a column are of one form, and name no other zone than `Z`.
    case inferred
    /// As texts, as they stand.
    case text
    /// As integers.
    case int
    /// As numbers of 64 bits with fractions.
    case double
    /// As decimal numbers.
    case decimal
    /// `true`, `false`, `1` or `0`.
    case bool
    /// As SQLite and ISO 8601 write dates.
    case date
    /// As UUIDs, with hyphens.
    case uuid
    /// In Base64.
    case data

    /// The value of a text; nil when it is no such value.
    func value(_ text: String) -> StoredValue? {
        switch self {
        case .inferred, .text: .string(text)
        case .int: Int64(text).map { .int($0) }
        case .double: Double(text).map { .double($0) }
        case .decimal: Decimal(wholeText: text).map { .decimal($0) }
        case .bool: ["true": true, "1": true, "false": false, "0": false][text.lowercased()].map { .bool($0) }
        case .date: Date(sqlText: text).map { .date($0) }
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .data: Data(base64Encoded: text).map { .data($0) }
        }
    }

    /// The value of the bytes of a text; nil when it is no such value.
    ///
    /// - Throws: ``NoText`` when they are no UTF-8.
    func value(_ bytes: UnsafeRawBufferPointer) throws(NoText) -> StoredValue? {
        if self == .int, let number = WrittenNumber.integer(bytes) { return .int(number) }
        if self == .double, let number = WrittenNumber.double(bytes)?.value { return .double(number) }
        guard let text = String(sourceUTF8: bytes) else { throw NoText() }
        return value(text)
    }

    struct NoText: Error {}
}

/// Numbers as most are written, read from their bytes. What it does not know may be a number all the same.
enum WrittenNumber {
    /// An integer of up to 18 digits, without a sign but `-` and without zeros before it; nil for anything else.
    static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) : bytes
        guard (1...18).contains(digits.count), digits[0] != UInt8(ascii: "0") || digits.count == 1 && !isNegative else { return nil }
        var number: Int64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int64(digit)
        }
        return isNegative ? -number : number
    }

    /// A number with a point, digits on both sides of it, at most 15 of them, and no zeros before the first but one; nil for anything else.
    ///
    /// Up to 15 digits each such text is another Double, which gives the text back when it is written with as many decimals. `isShortest` says that Swift
    /// writes it so without being told the decimals.
    static func double(_ bytes: UnsafeRawBufferPointer) -> (value: Double, decimals: Int, isShortest: Bool)? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard bytes.count - start <= 16, let point = UnsafeRawBufferPointer(rebasing: bytes[start...]).firstPlace(of: UInt8(ascii: ".")).map({ $0 + start })
        else { return nil }
        let fraction = bytes.count - point - 1
        guard point > start, fraction > 0, point == start + 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        var mantissa: UInt64 = 0
        for place in start..<bytes.count where place != point {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            mantissa = mantissa &* 10 &+ UInt64(digit)
        }
        // Both are exact, so the result is rounded once.
        let value = Double(mantissa) / powers[fraction]
        let hasNoZeroAtItsEnd = bytes[bytes.count - 1] != UInt8(ascii: "0") || fraction == 1
        // Smaller ones are written with an exponent.
        let isPlain = mantissa == 0 || value >= 0.0001
        return (isNegative ? -value : value, fraction, hasNoZeroAtItsEnd && isPlain)
    }

    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]
}
