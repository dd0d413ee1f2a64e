import Foundation

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
