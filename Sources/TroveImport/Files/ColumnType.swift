import Foundation
import Trove

/// How a column of CSV is read.
public enum ColumnType: String, CaseIterable, Sendable {
    /// As integers, doubles, Bools or dates, when every value of the column is written just as such a value is written again; as texts otherwise, so that 007 stays 007.
    case inferred
    case text
    case int
    case double
    case decimal
    /// `true`, `false`, `1` or `0`.
    case bool
    /// As SQLite and ISO 8601 write dates.
    case date
    case uuid
    /// In Base64.
    case data

    /// The value of a text; nil when it is no such value.
    func value(_ text: String) -> StoredValue? {
        switch self {
        case .inferred, .text: .string(text)
        case .int: Int64(text).map { .int($0) }
        case .double: Double(text).map { .double($0) }
        case .decimal: Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) }
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

    /// The type that writes a value just as it is written here; no text is written so by two of them. ``text`` for what none writes so.
    static func writing(_ bytes: UnsafeRawBufferPointer) -> ColumnType {
        if WrittenNumber.integer(bytes) != nil { return .int }
        if let form = WrittenNumber.double(bytes), form.isCertain { return .double }
        guard let text = String(sourceUTF8: bytes) else { return .text }
        return [.int, .double, .bool, .date].first { $0.writes(text) } ?? .text
    }

    /// Whether a text is written as this type writes the value that it is.
    private func writes(_ text: String) -> Bool {
        switch self {
        case .int: Int64(text).map { "\($0)" == text } ?? false
        case .double: Double(text).map { $0.isFinite && ("\($0)" == text || text.contains(".") && !text.hasPrefix("0") && Decimal(string: text) == Decimal(string: "\($0)")) } ?? false
        case .bool: text == "true" || text == "false"
        case .date: text.utf8.count >= 10 && Date(sqlText: text) != nil
        default: true
        }
    }
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
    /// Up to 15 digits each such text is another Double, and Swift writes that with the same digits: `isCertain` says that it does so without an exponent, and that no zero at the end is lost, which
    /// would be taken for the same where the text does not begin with a zero.
    static func double(_ bytes: UnsafeRawBufferPointer) -> (value: Double, isCertain: Bool)? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard bytes.count - start <= 16, let point = UnsafeRawBufferPointer(rebasing: bytes[start...]).firstPlace(of: UInt8(ascii: ".")).map({ $0 + start }) else { return nil }
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
        let isLarge = bytes[start] != UInt8(ascii: "0")
        let isShortest = bytes[bytes.count - 1] != UInt8(ascii: "0") || fraction == 1
        return (isNegative ? -value : value, isLarge || isShortest && bytes[point + 1] != UInt8(ascii: "0"))
    }

    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]
}
