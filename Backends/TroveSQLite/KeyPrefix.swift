/// The bytes a keyspace's number puts before its keys, so that all keyspaces live in one table.
///
/// The encoding keeps the order of the numbers, and none begins another: the count of leading ones in
/// the first byte tells the length, as in UTF-8. The first 128 keyspaces cost one byte a key.
///
/// One table, because one for each keyspace (measured with the same keys) is not faster to write, read or
/// scan, and makes every connection parse the whole schema again whenever a keyspace is made.
enum KeyPrefix {
    /// The longest prefix, in bytes.
    static let maxSize = 5

    /// Writes the prefix of `number` and returns its length.
    @inline(__always)
    static func write(_ number: UInt32, to bytes: UnsafeMutablePointer<UInt8>) -> Int {
        if number < 0x80 {
            bytes[0] = UInt8(truncatingIfNeeded: number)
            return 1
        }
        return writeLong(number, to: bytes)
    }

    @inline(never)
    private static func writeLong(_ number: UInt32, to bytes: UnsafeMutablePointer<UInt8>) -> Int {
        let size: Int
        let mark: UInt32
        switch number {
        case ..<0x4000: (size, mark) = (2, 0x80)
        case ..<0x20_0000: (size, mark) = (3, 0xC0)
        case ..<0x1000_0000: (size, mark) = (4, 0xE0)
        default: (size, mark) = (5, 0xF0)
        }
        for index in 0..<size {
            let shift = UInt32(8 * (size - 1 - index))
            bytes[index] = shift < 32 ? UInt8(truncatingIfNeeded: number >> shift) : 0
        }
        bytes[0] |= UInt8(mark)
        return size
    }

    /// The prefix of `number` followed by `key`.
    static func bytes(_ number: UInt32, _ key: some Collection<UInt8> = EmptyCollection()) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maxSize)
        let size = bytes.withUnsafeMutableBufferPointer { write(number, to: $0.baseAddress!) }
        bytes.removeLast(maxSize - size)
        bytes.append(contentsOf: key)
        return bytes
    }
}
