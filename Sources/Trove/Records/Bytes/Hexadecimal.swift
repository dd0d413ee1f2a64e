/// Digits of base 16 in ASCII.
package enum Hexadecimal {
    /// The value of a digit in either case; nil for another character.
    package static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The digit of a value below 16, in lower case.
    @inline(__always)
    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a") }
}

extension Sequence<UInt8> {
    /// The bytes as pairs of hexadecimal digits, in lower case.
    package var hexadecimal: String {
        String(decoding: flatMap { [Hexadecimal.digit($0 >> 4), Hexadecimal.digit($0 & 15)] }, as: UTF8.self)
    }
}

extension RangeReplaceableCollection<UInt8> {
    /// The bytes that pairs of hexadecimal digits tell, in either case; nil when the text is something else.
    package init?(hexadecimal text: some StringProtocol) {
        self.init()
        var high: UInt8?
        for byte in text.utf8 {
            guard let digit = Hexadecimal.value(of: byte) else { return nil }
            if let first = high {
                append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { return nil }
    }
}
