/// Two values that should be equal, in words: short ones whole, of long ones the sizes and the first place where they differ.
struct Difference {
    private static let longest = 120

    let expected: String
    let found: String

    init(of found: Any, from expected: Any) {
        let (found, expected) = (Self.plain(found), Self.plain(expected))
        let (foundText, expectedText) = (Self.text(found), Self.text(expected))
        if let found = found as? [UInt8], let expected = expected as? [UInt8], max(found.count, expected.count) > 32 {
            let place = Self.firstDifference(found.count, expected.count) { found[$0] == expected[$0] }
            self.expected = "\(Self.size(expected.count, "bytes")), at position \(place) \(Self.byte(expected, place))"
            self.found = "\(Self.size(found.count, "bytes")), there \(Self.byte(found, place))"
        } else if let found = found as? Entry, let expected = expected as? Entry, found.key == expected.key {
            let values = Difference(of: found.value, from: expected.value)
            self.expected = "\(expected.key.hexadecimal) = \(values.expected)"
            self.found = "\(found.key.hexadecimal) = \(values.found)"
        } else if let found = found as? [any Equatable], let expected = expected as? [any Equatable], !(found is [UInt8]), !(expected is [UInt8]),
            max(foundText.count, expectedText.count) > Self.longest
        {
            let place = Self.firstDifference(found.count, expected.count) { Self.areEqual(found[$0], expected[$0]) }
            let elements = place < min(found.count, expected.count) ? Difference(of: found[place], from: expected[place]) : nil
            self.expected = "\(Self.size(expected.count, "elements")), at position \(place) \(elements?.expected ?? Self.element(expected, place))"
            self.found = "\(Self.size(found.count, "elements")), there \(elements?.found ?? Self.element(found, place))"
        } else {
            self.expected = expectedText
            self.found = foundText
        }
    }

    /// A value for a message, cut when long.
    static func text(_ value: Any) -> String {
        let value = plain(value)
        if let bytes = value as? [UInt8] { return bytes.hexadecimal }
        if let list = value as? [any Equatable] {
            let text = "[" + list.map { self.text($0) }.joined(separator: ", ") + "]"
            return text.count > 400 ? "\(size(list.count, "elements")), \(text.prefix(400))…" : text
        }
        let text = "\(value)"
        return text.count > 400 ? text.prefix(400) + "…" : text
    }

    /// The value that an optional holds; a set as a list in order.
    private static func plain(_ value: Any) -> Any {
        if let names = value as? Set<String> { return names.sorted() }
        if let names = value as? Set<[UInt8]> { return names.sorted { $0.lexicographicallyPrecedes($1) } }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.map { plain($0.value) } ?? "nothing"
    }

    private static func firstDifference(_ count: Int, _ otherCount: Int, _ isEqual: (Int) -> Bool) -> Int {
        (0..<min(count, otherCount)).first { !isEqual($0) } ?? min(count, otherCount)
    }

    private static func areEqual(_ left: any Equatable, _ right: any Equatable) -> Bool {
        func compare<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
        return compare(left)
    }

    private static func size(_ count: Int, _ unit: String) -> String { count == 0 ? "no \(unit)" : "\(count) \(unit)" }

    private static func element(_ list: [any Equatable], _ place: Int) -> String { place < list.count ? text(list[place]) : "the end" }

    private static func byte(_ bytes: [UInt8], _ place: Int) -> String { place < bytes.count ? "0x" + String(bytes[place], radix: 16) : "the end" }
}
