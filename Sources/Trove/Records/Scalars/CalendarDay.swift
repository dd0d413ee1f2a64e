import Foundation

/// A day of the Gregorian calendar.
struct CalendarDay {
    static let secondsPerDay = 86_400
    /// Days from 0000-03-01, where the arithmetic begins, to 2001-01-01, where `Date` does.
    private static let reference = 730_791

    let year: Int
    let month: Int
    let day: Int

    /// nil when there is no such day.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.length(of: month, in: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day so many days after 2001-01-01.
    ///
    /// Years are counted from March, so that the leap day is the last.
    init(daysSinceReference number: Int) {
        let days = number + Self.reference
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
    }

    /// How many days the day is after 2001-01-01.
    var daysSinceReference: Int {
        let year = month > 2 ? year : year - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.reference
    }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Date {
    /// The time that a text of ISO 8601 tells: `2024-05-01`, `2024-05-01T12:30`, `2024-05-01 12:30:15.25+02:00`.
    /// Without a zone it is UTC; without a time, midnight. A leap second is the one after it. nil when the text is something else.
    init?(iso8601 text: String) {
        var scanner = ISO8601Scanner(text: Array(text.utf8))
        guard let seconds = scanner.seconds() else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

/// Reads the parts of an ISO 8601 time one after the other.
private struct ISO8601Scanner {
    let text: [UInt8]
    var position = 0

    private var isAtEnd: Bool { position == text.count }

    /// Seconds since 2001; nil when the text is not wholly a time.
    mutating func seconds() -> Double? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"), let dayOfMonth = number(digits: 2),
            let day = CalendarDay(year: year, month: month, day: dayOfMonth)
        else { return nil }
        // Whole numbers to the end, so that a fraction is rounded once.
        var seconds = day.daysSinceReference * CalendarDay.secondsPerDay
        var part = 0.0
        if isAtEnd { return Double(seconds) }
        guard take("T") || take(" ") || take("t"), let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2),
            minute < 60
        else { return nil }
        seconds += hour * 3_600 + minute * 60
        if take(":") {
            guard let second = number(digits: 2), second < 61 else { return nil }
            seconds += second
            if take(".") || take(",") {
                guard let fraction = fraction() else { return nil }
                part = fraction
            }
        }
        guard let offset = zone(), isAtEnd else { return nil }
        return Double(seconds - offset) + part
    }

    /// The zone's seconds east of Greenwich; 0 when there is none.
    private mutating func zone() -> Int? {
        if isAtEnd || take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), hours < 24 else { return nil }
        if isAtEnd { return sign * hours * 3_600 }
        _ = take(":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func number(digits: Int) -> Int? {
        guard text.count - position >= digits else { return nil }
        var value = 0
        for byte in text[position..<position + digits] {
            guard byte >= 48, byte < 58 else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        position += digits
        return value
    }

    private mutating func fraction() -> Double? {
        let digits = text[position...].prefix { $0 >= 48 && $0 < 58 }
        guard !digits.isEmpty else { return nil }
        position += digits.count
        return Double("0." + String(decoding: digits, as: UTF8.self))
    }
}
