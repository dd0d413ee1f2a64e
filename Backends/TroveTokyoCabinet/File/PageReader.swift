/// Reads numbers and bytes of a page, never beyond its end.
struct PageReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position: Int
    let end: Int

    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// A number in the library's variable form: seven bits a byte, the lowest first, all but the last byte inverted.
    mutating func number(below limit: UInt64) throws -> Int {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard position < end, shift < 63 else { throw PageWalk.Damage(what: "a page is cut off") }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte < 0x80 ? byte : ~byte) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        guard number <= limit else { throw PageWalk.Damage(what: "a page holds an impossible number") }
        return Int(number)
    }

    mutating func bytes(_ count: Int) throws -> UnsafeRawBufferPointer {
        let start = position
        try skip(count)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    mutating func skip(_ count: Int) throws {
        guard count <= end - position else { throw PageWalk.Damage(what: "a page is cut off") }
        position += count
    }

    var isAtEnd: Bool { position == end }
}
