import Foundation
import Trove

/// How a text is written: which type writes its value just so, and what it takes to write it again.
///
/// A column keeps its type as long as each of its texts can be told from the value and from what all of them have in common. So no two texts become one value.
struct WrittenForm: Equatable {
    /// The type that writes it; ``ColumnType/text`` for what none writes so, or what differs too much.
    let type: ColumnType
    /// Which of its forms the type takes.
    private var layout = Layout()
    /// How many digits stand behind the point; nil where that is none or differs.
    private var decimals: Int?
    /// Whether the digits behind the point are as many as the value needs, so that the value alone tells them.
    private var isShortest = true

    /// What stands between and behind the parts of a date.
    private struct Layout: Equatable {
        var separator: UInt8 = 0
        var hasSeconds = false
        var hasZone = false
    }

    static let text = WrittenForm(.text)

    private init(_ type: ColumnType, decimals: Int? = nil, isShortest: Bool = true, layout: Layout = Layout()) {
        self.type = type
        self.decimals = decimals
        self.isShortest = isShortest
        self.layout = layout
    }

    /// The form of a text.
    init(_ bytes: UnsafeRawBufferPointer) {
        if WrittenNumber.integer(bytes) != nil {
            self.init(.int)
        } else if let number = WrittenNumber.double(bytes) {
            self.init(.double, decimals: number.decimals, isShortest: number.isShortest)
        } else if let text = String(sourceUTF8: bytes) {
            self = Self.int(text) ?? Self.double(text) ?? Self.bool(text) ?? Self.date(text, bytes) ?? .text
        } else {
            self = .text
        }
    }

    /// What texts of this form and texts of another one have in common: ``text`` when no type writes both again.
    func joined(with other: WrittenForm) -> WrittenForm {
        let joined = WrittenForm(type, decimals: decimals == other.decimals ? decimals : nil, isShortest: isShortest && other.isShortest, layout: layout)
        return type == other.type && layout == other.layout && (joined.isShortest || joined.decimals != nil) ? joined : .text
    }

    private static func int(_ text: String) -> WrittenForm? {
        guard let number = Int64(text), "\(number)" == text else { return nil }
        return WrittenForm(.int)
    }

    private static func bool(_ text: String) -> WrittenForm? { text == "true" || text == "false" ? WrittenForm(.bool) : nil }

    /// More decimals than these a double does not tell apart.
    private static let mostDecimals = 17

    private static func double(_ text: String) -> WrittenForm? {
        guard let number = Double(text), number.isFinite else { return nil }
        let decimals = text.contains("e") ? nil : text.utf8.firstIndex(of: UInt8(ascii: ".")).map { text.utf8.distance(from: $0, to: text.endIndex) - 1 }
        if "\(number)" == text { return WrittenForm(.double, decimals: decimals) }
        guard let decimals, (1...mostDecimals).contains(decimals), String(format: "%.\(decimals)f", number) == text else { return nil }
        return WrittenForm(.double, decimals: decimals, isShortest: false)
    }

    /// Dates alone, and with a time of day, which may have seconds, a fraction of them, and the zone Z. Without a zone they are in UTC, and
    /// with another one they would not tell it.
    private static func date(_ text: String, _ bytes: UnsafeRawBufferPointer) -> WrittenForm? {
        let (dayLength, minuteLength, secondLength) = (10, 16, 19)
        // No year 0 is written.
        guard bytes.count >= dayLength, bytes[4] == UInt8(ascii: "-"), !text.hasPrefix("0000"), let date = Date(sqlText: text) else { return nil }
        if bytes.count == dayLength { return WrittenForm(.date) }
        let hasZone = bytes[bytes.count - 1] == UInt8(ascii: "Z")
        let time = UnsafeRawBufferPointer(rebasing: bytes[dayLength..<bytes.count - (hasZone ? 1 : 0)])
        guard !time.contains(UInt8(ascii: "+")), !time.contains(UInt8(ascii: "-")) else { return nil }
        let layout = Layout(separator: bytes[dayLength], hasSeconds: time.count > minuteLength - dayLength, hasZone: hasZone)
        guard time.count > secondLength - dayLength else { return WrittenForm(.date, layout: layout) }
        let fraction = time.dropFirst(secondLength + 1 - dayLength)
        let needed = fraction.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 - fraction.startIndex } ?? 0
        // What is written of the date, with a T and a Z and no zeros at the end.
        func part(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
        let written =
            part(bytes[..<dayLength]) + "T" + part(bytes[dayLength + 1..<secondLength]) + (needed > 0 ? "." : "") + part(fraction.prefix(needed)) + "Z"
        guard (try? StoredValue.date(date).json()) == "{\"$date\":\"\(written)\"}" else { return nil }
        return WrittenForm(.date, decimals: fraction.count, isShortest: needed == fraction.count, layout: layout)
    }
}
