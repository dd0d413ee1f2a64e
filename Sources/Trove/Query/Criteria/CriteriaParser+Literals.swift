import Foundation

extension CriteriaParser {
    /// An integer, or, with a point or exponent, a `Double`.
    mutating func number() throws(TroveError) -> StoredValue {
        let (digits, place) = try signedDigits()
        if digits.contains(where: { $0 == "." || $0 == "e" }) {
            guard let value = Double(digits), value.isFinite else { throw error("a number that a Double can hold", at: place) }
            return .double(value)
        }
        if let value = Int64(digits) { return .int(value) }
        guard let value = UInt64(digits) else {
            throw error("an integer from \(Int64.min) to \(UInt64.max), or a number with a point or as in decimal 1.5", at: place)
        }
        return .uint(value)
    }

    private mutating func signedDigits() throws(TroveError) -> (digits: String, place: CriteriaToken) {
        let place = token
        let sign = take(symbol: "-") ? "-" : ""
        guard case .number(let digits) = token.kind else { throw error("a number after '-'") }
        advance()
        return (sign + digits, place)
    }

    /// A value with its type before it: `date '2020-01-31'`.
    mutating func typedValue(_ type: String) throws(TroveError) -> StoredValue? {
        let place = ahead()
        let types = ["date", "uuid", "objectid", "url", "data", "decimal", "float", "double"]
        guard types.contains(type) else {
            throw error("an operator after '\(type)', or one of the types \(types.joined(separator: ", ")) before the value", at: place)
        }
        advance()
        if case .string(let text) = token.kind {
            advance()
            guard let value = Self.value(type, text: text) else { throw error(Self.form(of: type), at: place) }
            return value
        }
        let (digits, _) = try signedDigits()
        guard let value = Self.value(type, digits: digits) else { throw error(Self.form(of: type), at: place) }
        return value
    }

    private static func value(_ type: String, text: String) -> StoredValue? {
        switch type {
        case "date":
            (Date(iso8601: text) ?? special(text).map { Date(timeIntervalSinceReferenceDate: $0) }).map { .date($0) }
        case "uuid": UUID(uuidString: text).map { .uuid($0) }
        case "objectid": ObjectID(text).map { .objectID($0) }
        case "url": URL(string: text).map { .url($0) }
        case "data": Data(hexadecimal: text).map { .data($0) }
        case "decimal": text == "nan" ? .decimal(.nan) : nil
        case "float": special(text).map { .float(Float($0)) }
        case "double": special(text).map { .double($0) }
        default: nil
        }
    }

    private static func value(_ type: String, digits: String) -> StoredValue? {
        switch type {
        case "date": Double(digits).flatMap { $0.isFinite ? .date(Date(timeIntervalSinceReferenceDate: $0)) : nil }
        case "decimal": Decimal(exactly: digits).map { .decimal($0) }
        case "float": Float(digits).flatMap { $0.isFinite ? .float($0) : nil }
        case "double": Double(digits).flatMap { $0.isFinite ? .double($0) : nil }
        default: nil
        }
    }

    private static func special(_ text: String) -> Double? {
        switch text {
        case "nan": .nan
        case "inf": .infinity
        case "-inf": -.infinity
        default: nil
        }
    }

    private static func form(of type: String) -> String {
        switch type {
        case "date": "a date as in '2020-01-31' or '2020-01-31T12:30:00.5Z', or the seconds since 2001"
        case "uuid": "a UUID in its 36 characters"
        case "objectid": "an object id in the form it is printed in"
        case "url": "a URL"
        case "data": "bytes as pairs of hexadecimal digits"
        case "decimal": "a number of at most 38 digits that a Decimal holds, or 'nan'"
        default: "a finite number, 'inf', '-inf' or 'nan'"
        }
    }
}

extension Data {
    /// The bytes that pairs of hexadecimal digits tell; nil when they are something else.
    init?(hexadecimal text: String) {
        let digits = text.unicodeScalars.map { Character($0).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        self.init(stride(from: 0, to: values.count, by: 2).map { (index: Int) -> UInt8 in UInt8(values[index] << 4 | values[index + 1]) })
    }

    var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension Decimal {
    /// The number that digits with a point and exponent tell, when a decimal holds it exactly.
    init?(exactly text: String) {
        let halves = text.split(separator: "e", maxSplits: 1)
        guard let first = halves.first, let power = halves.count == 1 ? 0 : Int(halves[1]) else { return nil }
        let sides = first.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        let digits = sides.joined().reversed().drop { $0 == "0" }
        let zeros = sides.joined().count - digits.count
        guard let mantissa = UInt128(digits.isEmpty ? "0" : String(digits.reversed())), (-999...999).contains(power) else { return nil }
        self.init(
            isNegative: first.hasPrefix("-"), exponent: mantissa == 0 ? 0 : power - (sides.count > 1 ? sides[1].count : 0) + zeros, mantissa: mantissa)
    }
}

extension Date {
    /// The date in ISO 8601 as ``init(iso8601:)`` reads it exactly; nil when it is not of whole milliseconds in a year of four digits.
    var criteriaText: String? {
        let time = timeIntervalSinceReferenceDate
        guard abs(time) < 1e12 else { return nil }
        let whole = time.rounded(.down)
        var (days, second) = Int(whole).quotientAndRemainder(dividingBy: CalendarDay.secondsPerDay)
        if second < 0 {
            second += CalendarDay.secondsPerDay
            days -= 1
        }
        let day = CalendarDay(daysSinceReference: days)
        guard (1...9_999).contains(day.year) else { return nil }
        var text = Self.padded(day.year, 4) + "-" + Self.padded(day.month, 2) + "-" + Self.padded(day.day, 2)
        let milliseconds = Int(((time - whole) * 1_000).rounded())
        if second != 0 || milliseconds != 0 {
            text += "T" + Self.padded(second / 3_600, 2) + ":" + Self.padded(second / 60 % 60, 2) + ":" + Self.padded(second % 60, 2)
            text += (milliseconds == 0 ? "" : "." + Self.padded(milliseconds, 3)) + "Z"
        }
        return Date(iso8601: text) == self ? text : nil
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
