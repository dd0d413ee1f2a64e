/// Two values that should be equal, in words: short ones whole, of long ones the sizes and the first place where they differ.
struct Difference {
    private static let longest = 120
    private static let longestBytes = 32

    let expected: String
    let found: String

    init(of found: Any, from expected: Any) {
        let (found, expected) = (Self.plain(found), Self.plain(expected))
        let (foundText, expectedText) = (Self.text(found), Self.text(expected))
        if let found = found as? [UInt8], let expected = expected as? [UInt8], max(found.count, expected.count) > Self.longestBytes {
            let place = Self.place(found.count, expected.count) { found[$0] == expected[$0] }
            func text(_ bytes: [UInt8]) -> String {
                Self.text(bytes.count, "byte", place, is: bytes.dropFirst(place).first.map { "0x" + String($0, radix: 16) } ?? "")
            }
            self.expected = text(expected)
            self.found = text(found)
        } else if let found = found as? Entry, let expected = expected as? Entry, found.key == expected.key {
            let values = Difference(of: found.value, from: expected.value)
            self.expected = "\(expected.key.hexadecimal) = \(values.expected)"
            self.found = "\(found.key.hexadecimal) = \(values.found)"
        } else if let found = Self.list(found), let expected = Self.list(expected), max(foundText.count, expectedText.count) > Self.longest {
            let place = Self.place(found.count, expected.count) { Self.areEqual(found[$0], expected[$0]) }
            let both = place < min(found.count, expected.count) ? Difference(of: found[place], from: expected[place]) : nil
            self.expected = Self.text(expected.count, "element", place, is: both?.expected ?? expected.dropFirst(place).first.map(Self.text) ?? "")
            self.found = Self.text(found.count, "element", place, is: both?.found ?? found.dropFirst(place).first.map(Self.text) ?? "")
        } else {
            self.expected = expectedText
            self.found = foundText
        }
    }

    /// A value for a message, cut when long.
    static func text(_ value: Any) -> String {
        let value = plain(value)
        if let bytes = value as? [UInt8] { return bytes.hexadecimal }
        guard let list = list(value) else { return cut("\(value)") }
        return cut("[" + list.map { text($0) }.joined(separator: ", ") + "]", "\(list.count) elements, ")
    }

    private static func cut(_ text: String, _ size: String = "") -> String { text.count > 400 ? size + text.prefix(400) + "…" : text }

    /// `601 elements, of which element 7 is …`.
    private static func text(_ count: Int, _ unit: String, _ place: Int, is element: String) -> String {
        if count == 0 { return "no \(unit)s" }
        let size = count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
        return place < count ? "\(size), of which \(unit) \(place) is \(element)" : "\(size), which end before \(unit) \(place)"
    }

    /// The value that an optional holds; a set as a list in order.
    private static func plain(_ value: Any) -> Any {
        if let names = value as? Set<String> { return names.sorted() }
        if let names = value as? Set<[UInt8]> { return names.sorted { $0.lexicographicallyPrecedes($1) } }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.map { plain($0.value) } ?? "nothing"
    }

    /// The elements of a list other than bytes. Its type is asked for, as an empty list of anything can be cast to bytes.
    private static func list(_ value: Any) -> [any Equatable]? { type(of: value) == [UInt8].self ? nil : value as? [any Equatable] }

    /// The first place where two lists differ.
    private static func place(_ count: Int, _ otherCount: Int, _ isEqual: (Int) -> Bool) -> Int {
        (0..<min(count, otherCount)).first { !isEqual($0) } ?? min(count, otherCount)
    }

    private static func areEqual(_ left: any Equatable, _ right: any Equatable) -> Bool {
        func compare<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
        return compare(left)
    }
}
