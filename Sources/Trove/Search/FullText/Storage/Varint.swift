/// Reading of integers in groups of seven bits, the lowest first.
enum Varint {
    /// The integer at `offset`, which is moved behind it; nil when it is longer than 64 bits or than the bytes.
    @inline(__always)
    static func read(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt64? {
        guard offset < bytes.count else { return nil }
        let first = bytes[offset]
        offset &+= 1
        return first < 0x80 ? UInt64(first) : readRest(bytes, &offset, UInt64(first & 0x7F))
    }

    private static func readRest(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int, _ low: UInt64) -> UInt64? {
        var value = low
        var shift: UInt64 = 7
        while shift < 64, offset < bytes.count {
            let byte = bytes[offset]
            offset &+= 1
            if shift == 63, byte > 1 { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }
}
