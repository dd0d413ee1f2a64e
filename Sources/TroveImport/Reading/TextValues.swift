import Foundation

extension Date {
    /// The date of a text as SQLite and ISO 8601 write it, `2026-03-01`, `2026-03-01 12:30:05.250` or `2026-03-01T12:30:05Z`, in UTC
    /// where it names no zone; nil for another text.
    init?(sqlText text: String) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func isAt(_ place: Int, _ character: Character) -> Bool { place < bytes.count && bytes[place] == character.asciiValue }
        guard let year = number(0..<4), isAt(4, "-"), let month = number(5..<7), isAt(7, "-"), let day = number(8..<10), (1...12).contains(month),
            (1...31).contains(day)
        else { return nil }
        guard let days = Self.days(year, month, day) else { return nil }
        var (hours, minutes, seconds) = (0, 0, 0)
        var place = 10
        var fraction = 0.0
        var offset = 0
        if place < bytes.count {
            guard isAt(10, " ") || isAt(10, "T"), let hour = number(11..<13), isAt(13, ":"), let minute = number(14..<16), hour < 24, minute < 60 else {
                return nil
            }
            (hours, minutes, place) = (hour, minute, 16)
            if isAt(16, ":") {
                guard let second = number(17..<19), second < 60 else { return nil }
                (seconds, place) = (second, 19)
                if isAt(19, ".") {
                    let end = bytes[20...].firstIndex { $0 < 0x30 || $0 > 0x39 } ?? bytes.count
                    guard end > 20, let part = Double("0." + String(decoding: bytes[20..<end], as: UTF8.self)) else { return nil }
                    (fraction, place) = (part, end)
                }
            }
            if isAt(place, "Z"), place + 1 == bytes.count {
                place += 1
            } else if isAt(place, "+") || isAt(place, "-"), let offsetHours = number(place + 1..<place + 3) {
                let minutesPlace = isAt(place + 3, ":") ? place + 4 : place + 3
                guard let offsetMinutes = number(minutesPlace..<minutesPlace + 2), minutesPlace + 2 == bytes.count else { return nil }
                offset = (offsetHours * 3_600 + offsetMinutes * 60) * (isAt(place, "-") ? -1 : 1)
                place = bytes.count
            }
        }
        guard place == bytes.count else { return nil }
        self.init(timeIntervalSinceReferenceDate: Double(days * 86_400 + hours * 3_600 + minutes * 60 + seconds - offset) + fraction)
    }

    /// The days from 2001-01-01 to a day of the Gregorian calendar, also before it was in use; nil for one that there is not.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        guard day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] else { return nil }
        // Years that begin in March have the leap day at their end, so that months need no table.
        let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 730_792 + (year == 0 && month <= 2 ? -1 : 0)
    }
}

extension UUID {
    /// The UUID of 16 bytes; nil for another number of them.
    init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        var uuid = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { _ = bytes.copyBytes(to: $0) }
        self.init(uuid: uuid)
    }
}

extension Decimal {
    /// The number that a text is the whole of; nil for any other text.
    init?(wholeText text: String) {
        // Foundation reads the number that a text begins with and passes over the rest, so that 12abc were 12. Swift's Double tells the whole text,
        // but knows words and hexadecimal digits too.
        guard text.utf8.allSatisfy(Self.bytes.contains), Double(text) != nil, let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
            number.isFinite
        else { return nil }
        self = number
    }

    /// What numbers are written with.
    private static let bytes = Set("0123456789+-.eE".utf8)
}
