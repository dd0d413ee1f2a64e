import Foundation

/// Stored as the bits of its seconds since 2001-01-01, so that it comes back exactly.
extension Date: Storable {
    public static var fieldType: FieldType { .date }
    public static var _nestsExactly: Bool { true }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws {
        record.appendFixed(timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> Date {
        Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(littleEndian: try record.fixed())))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .date)
        bytes.append(timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Date { try nestedScalar(from: &bytes) }

    public init(_stored value: StoredValue) throws {
        if case .date(let value) = value { self = value } else { try self.init(convertingStored: value) }
    }
}

extension Date: StorableKey {
    public func encode(into key: inout KeyEncoder) { timeIntervalSinceReferenceDate.encode(into: &key) }

    public init(from key: inout KeyDecoder) throws {
        self.init(timeIntervalSinceReferenceDate: try Double(from: &key))
    }
}

extension Date: Scalar {
    static var typeName: String { "Date" }
    static var fixedSize: Int? { 8 }
    static var valueClass: ValueClass { .date }
    static var partForm: PartForm { .fixed(8) }
    static var partTellsValue: Bool { false }
    var storedValue: StoredValue { .date(self) }

    init?(lossless value: StoredValue) {
        guard case .date(let value) = value else { return nil }
        self = value
    }

    static func fieldValue(at place: UnsafeRawPointer) -> FieldValue {
        .date(Double(bitPattern: UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))))
    }

    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue { .date(try Double(from: &key)) }

    static var hasTextForm: Bool { true }
    init?(text: String) { self.init(iso8601: text) }
    static var literalWord: String? { "date" }
    static var literalForm: String { "a date as in '2020-01-31' or '2020-01-31T12:30:00.5Z', or the seconds since 2001" }

    init?(literalText text: String) {
        if let date = Date(iso8601: text) { self = date; return }
        guard let seconds = Double(special: text) else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }

    init?(literalDigits digits: String) {
        guard let seconds = Double(digits), seconds.isFinite else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }

    func literal(_ cut: (String) -> String) -> String {
        "date " + (criteriaText?.quotedLiteral ?? timeIntervalSinceReferenceDate.literalNumber("\(timeIntervalSinceReferenceDate)"))
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
