import Foundation

/// A time to the last digit: whole seconds and a decimal fraction. A `Date` counts seconds in binary, so what is written in decimal is
/// worked out here without a second rounding.
struct ExactTime: Equatable {
    /// The whole seconds since 2001-01-01 00:00 UTC that have passed.
    let seconds: Int
    /// The digits of the fraction as a number, and how many they are: up to ``maxDigits``, the last not 0.
    let fraction: UInt64
    let digitCount: Int

    static let maxDigits = 18

    init(seconds: Int, fraction: UInt64 = 0, digitCount: Int = 0) {
        self.seconds = seconds
        var (fraction, digitCount) = (fraction, digitCount)
        while digitCount > 0, fraction.isMultiple(of: 10) {
            fraction /= 10
            digitCount -= 1
        }
        self.fraction = fraction
        self.digitCount = digitCount
    }

    /// The shortest one that is read as this number of seconds; nil when its year has not four digits, its fraction has too many, or it is
    /// a negative zero, which time has none of.
    init?(_ time: Double) {
        // From 0001-01-01 to 9999-12-31.
        guard time >= -63_113_904_000, time < 252_423_993_600, time != 0 || time.sign == .plus else { return nil }
        let thousands = (time * 1_000).rounded()
        if thousands / 1_000 == time {
            let (seconds, rest) = Self.divided(Int(thousands), by: 1_000)
            self.init(seconds: seconds, fraction: UInt64(rest), digitCount: 3)
            return
        }
        guard let (magnitude, digitCount) = Self.digits(of: time.magnitude) else { return nil }
        let scale = Self.powers[digitCount]
        let (seconds, rest) = Self.divided(time < 0 ? -magnitude : magnitude, by: Int128(scale))
        self.init(seconds: Int(seconds), fraction: UInt64(rest), digitCount: digitCount)
    }

    /// The number of seconds, rounded once.
    var timeInterval: Double {
        if digitCount == 0 { return Double(seconds) }
        let total = Int128(seconds) * Int128(Self.powers[digitCount]) + Int128(fraction)
        if total.magnitude <= 1 << 53 { return Double(Int64(total)) / Double(Self.powers[digitCount]) }
        let digits = String(total.magnitude)
        let padded = String(repeating: "0", count: max(0, digitCount + 1 - digits.count)) + digits
        let text = (total < 0 ? "-" : "") + padded.dropLast(digitCount) + "." + padded.suffix(digitCount)
        return Double(text) ?? .nan
    }

    private static let powers: [UInt64] = (0...maxDigits).reduce(into: []) { powers, _ in
        powers.append((powers.last ?? 0) == 0 ? 1 : powers[powers.count - 1] * 10)
    }

    private static func divided<Value: FixedWidthInteger & SignedInteger>(_ value: Value, by divisor: Value) -> (Value, Value) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The shortest decimal of a positive number below 10^12: its digits as one number, and how many stand behind the point.
    private static func digits(of number: Double) -> (Int128, Int)? {
        var (mantissa, behind, isBehind): (Int128, Int, Bool) = (0, 0, false)
        var rest = number.description.utf8[...]
        while let byte = rest.first, byte != UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if byte == UInt8(ascii: ".") { isBehind = true; continue }
            mantissa = mantissa * 10 + Int128(byte - UInt8(ascii: "0"))
            if isBehind { behind += 1 }
        }
        if !rest.isEmpty {
            guard let exponent = Int(String(decoding: rest.dropFirst(), as: UTF8.self)), exponent < 0 else { return nil }
            behind -= exponent
        }
        return behind <= maxDigits ? (mantissa, behind) : nil
    }

    /// Appends the time as `2020-01-31T12:30:00.5Z`.
    func append(to bytes: inout ByteWriter) {
        let (days, second) = Self.divided(seconds, by: CalendarDay.secondsPerDay)
        let day = CalendarDay(daysSinceReference: days)
        bytes.append(digits: UInt64(day.year), 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(digits: UInt64(day.month), 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(digits: UInt64(day.day), 2)
        bytes.append(UInt8(ascii: "T"))
        bytes.append(digits: UInt64(second / 3_600), 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(digits: UInt64(second / 60 % 60), 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(digits: UInt64(second % 60), 2)
        if digitCount > 0 {
            bytes.append(UInt8(ascii: "."))
            bytes.append(digits: fraction, digitCount)
        }
        bytes.append(UInt8(ascii: "Z"))
    }
}

extension ByteWriter {
    /// Appends so many decimal digits, zeros first.
    fileprivate mutating func append(digits value: UInt64, _ width: Int) {
        reserve(width)
        var rest = value
        for place in (0..<width).reversed() {
            base.storeBytes(of: UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0"), toByteOffset: count + place, as: UInt8.self)
            rest /= 10
        }
        count += width
    }
}

extension Date {
    /// The time that a text of ISO 8601 tells: `2024-05-01`, `2024-05-01T12:30`, `2024-05-01 12:30:15.25+02:00`.
    /// Without a zone it is UTC; without a time, midnight. A leap second is the one after it. nil when the text is something else.
    init?(iso8601 text: String) {
        guard let date = text.withRawUTF8({ Date(iso8601: $0) }) else { return nil }
        self = date
    }

    /// The same, of UTF-8.
    init?(iso8601 text: UnsafeRawBufferPointer) {
        var scanner = ISO8601Scanner(text: text)
        guard let time = scanner.time() else { return nil }
        self.init(timeIntervalSinceReferenceDate: time.timeInterval)
    }
}

/// Reads the parts of an ISO 8601 time one after the other.
private struct ISO8601Scanner {
    /// Valid as long as the call that made the scanner.
    let text: UnsafeRawBufferPointer
    var position = 0

    private var isAtEnd: Bool { position == text.count }

    /// nil when the text is not wholly a time.
    mutating func time() -> ExactTime? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"), let dayOfMonth = number(digits: 2),
            let day = CalendarDay(year: year, month: month, day: dayOfMonth)
        else { return nil }
        var seconds = day.daysSinceReference * CalendarDay.secondsPerDay
        var (fraction, digitCount): (UInt64, Int) = (0, 0)
        if isAtEnd { return ExactTime(seconds: seconds) }
        guard take("T") || take(" ") || take("t"), let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2),
            minute < 60
        else { return nil }
        seconds += hour * 3_600 + minute * 60
        if take(":") {
            guard let second = number(digits: 2), second < 61 else { return nil }
            seconds += second
            if take(".") || take(",") {
                guard let part = takeFraction() else { return nil }
                (fraction, digitCount) = part
            }
        }
        guard let offset = zone(), isAtEnd else { return nil }
        return ExactTime(seconds: seconds - offset, fraction: fraction, digitCount: digitCount)
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

    /// The digits of a fraction, of which those behind the eighteenth are dropped.
    private mutating func takeFraction() -> (UInt64, Int)? {
        let digits = text[position...].prefix { $0 >= 48 && $0 < 58 }
        guard !digits.isEmpty else { return nil }
        position += digits.count
        let kept = digits.prefix(ExactTime.maxDigits)
        return (kept.reduce(0) { $0 * 10 + UInt64($1 - 48) }, kept.count)
    }
}
