import Foundation

/// Dates in criteria text: ISO 8601, in UTC when no zone is given.
extension Date {
    private static let secondsPerDay = 86_400
    /// Days from 0000-03-01, where the count of ``days(year:month:day:)`` begins, to 2001-01-01.
    private static let reference = days(year: 2001, month: 1, day: 1)

    /// Reads `2020-01-31`, or `2020-01-31T12:30:00.5Z`, where the seconds and the zone may be missing and a space may stand for the `T`.
    init?(criteria text: String) {
        var rest = Substring(text)
        guard let year = Self.digits(&rest, 4), Self.take("-", &rest), let month = Self.digits(&rest, 2), Self.take("-", &rest),
            let day = Self.digits(&rest, 2), (1...12).contains(month), day >= 1, day <= Self.daysOfMonth(month, of: year)
        else { return nil }
        var seconds = (Self.days(year: year, month: month, day: day) - Self.reference) * Self.secondsPerDay
        var fraction = 0.0
        if Self.take("T", &rest) || Self.take("t", &rest) || Self.take(" ", &rest) {
            guard let hour = Self.digits(&rest, 2), Self.take(":", &rest), let minute = Self.digits(&rest, 2), hour < 24, minute < 60 else { return nil }
            seconds += hour * 3_600 + minute * 60
            if Self.take(":", &rest) {
                guard let second = Self.digits(&rest, 2), second < 60 else { return nil }
                seconds += second
                if Self.take(".", &rest) {
                    let digits = rest.prefix { $0.isASCII && $0.isNumber }
                    guard !digits.isEmpty, let value = Double("0." + digits) else { return nil }
                    fraction = value
                    rest = rest.dropFirst(digits.count)
                }
            }
            guard let offset = Self.zone(&rest) else { return nil }
            seconds -= offset
        }
        guard rest.isEmpty else { return nil }
        self.init(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// The date as ``init(criteria:)`` reads it exactly; nil when it is not of whole milliseconds in a year of four digits.
    var criteriaText: String? {
        let time = timeIntervalSinceReferenceDate
        guard abs(time) < 1e12 else { return nil }
        let whole = time.rounded(.down)
        var (days, second) = Int(whole).quotientAndRemainder(dividingBy: Self.secondsPerDay)
        if second < 0 {
            second += Self.secondsPerDay
            days -= 1
        }
        let (year, month, day) = Self.civil(days + Self.reference)
        guard (1...9_999).contains(year) else { return nil }
        var text = Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
        let milliseconds = Int(((time - whole) * 1_000).rounded())
        if second != 0 || milliseconds != 0 {
            text += "T" + Self.padded(second / 3_600, 2) + ":" + Self.padded(second / 60 % 60, 2) + ":" + Self.padded(second % 60, 2)
            text += (milliseconds == 0 ? "" : "." + Self.padded(milliseconds, 3)) + "Z"
        }
        return Date(criteria: text) == self ? text : nil
    }

    // MARK: - The Gregorian calendar, with years that begin in March so that the leap day is the last

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func daysOfMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // MARK: - Text

    /// The seconds a zone is ahead of UTC; 0 when there is none, nil when it is not well formed.
    private static func zone(_ text: inout Substring) -> Int? {
        if text.isEmpty || take("Z", &text) || take("z", &text) { return 0 }
        let sign = take("-", &text) ? -1 : 1
        guard sign == -1 || take("+", &text), let hours = digits(&text, 2) else { return nil }
        let hasColon = take(":", &text)
        guard !text.isEmpty || hasColon else { return hours < 24 ? sign * hours * 3_600 : nil }
        guard let minutes = digits(&text, 2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private static func digits(_ text: inout Substring, _ count: Int) -> Int? {
        let digits = text.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        text = text.dropFirst(count)
        return Int(digits)
    }

    private static func take(_ character: Character, _ text: inout Substring) -> Bool {
        guard text.first == character else { return false }
        text.removeFirst()
        return true
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
