extension Sequence<UInt8> {
    /// The bytes as pairs of hexadecimal digits, in lowercase.
    package var hexadecimal: String {
        reduce(into: "") { text, byte in text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    }
}

extension RangeReplaceableCollection<UInt8> {
    /// The bytes that pairs of hexadecimal digits tell, in either case; nil when the text is something else.
    package init?(hexadecimal text: some StringProtocol) {
        self.init()
        var high: UInt8?
        for byte in text.utf8 {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            if let first = high {
                append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        guard high == nil else { return nil }
    }
}
