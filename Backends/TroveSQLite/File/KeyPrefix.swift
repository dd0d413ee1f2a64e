/// The bytes a keyspace's number puts before its keys, so that all keyspaces live in one table.
///
/// The encoding keeps the order of the numbers, and none begins another: the count of leading ones in
/// the first byte tells the length, as in UTF-8. The first 128 keyspaces cost one byte a key.
///
/// One table, because one for each keyspace is no faster (measured with 1,000,000 ascending entries on pages of 8 KiB: put 1.9 µs
/// in a table of its own, 1.4 in the common one; random get 3.8 and 3.1; scan 0.15 and 0.14), and with 4,000 tables each connection
/// parses the schema for 24 ms and keeps 2.3 MB of it, again after every keyspace made, while the file takes
/// 33 MB for no entry at all. What it costs: dropping a keyspace removes entry by entry, 0.5 µs each.
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
