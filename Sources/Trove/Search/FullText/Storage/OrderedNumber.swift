/// Whole numbers as bytes in their order, the small ones short: how many bytes follow, then those, big-endian.
enum OrderedNumber {
    /// Above every number.
    static let infinity: UInt8 = 0xFF

    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        let count = (64 - number.leadingZeroBitCount + 7) / 8
        bytes.append(UInt8(count))
        for index in stride(from: count - 1, through: 0, by: -1) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)))
        }
    }

    /// The number that begins at `offset`, and where it ends; nil for bytes that are none.
    static func read(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (number: UInt64, end: Int)? {
        guard offset < bytes.count else { return nil }
        let count = Int(bytes[offset])
        guard count <= 8, offset + 1 + count <= bytes.count else { return nil }
        var number: UInt64 = 0
        for index in 0..<count { number = number << 8 | UInt64(bytes[offset + 1 + index]) }
        return (number, offset + 1 + count)
    }
}
