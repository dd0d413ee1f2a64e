import TroveStorage

/// The bytes of the store's file.
///
///     8 bytes   "TroveSA\n"
///     4         the version of the format, 1
///     8         the checksum of all that follows
///     4         the number of keyspaces; for each, in the order of names:
///       4, n      the length of the name, and the name
///       4         the number of entries; for each, in the order of keys:
///         4, n      the length of the key, and the key
///         4, n      the length of the value, and the value
///
/// Numbers have their lowest byte first.
enum StoreEncoding {
    static let magic = Array("TroveSA\n".utf8)
    static let version: UInt32 = 1
    /// The bytes before those the checksum is of.
    static let headerSize = 20

    static func bytes(of contents: Contents) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: headerSize)
        append(contents.numbers.count, to: &bytes)
        for name in contents.names {
            append(name, to: &bytes)
            guard let entries = contents.numbers[name].flatMap({ contents.keyspaces[$0] }) else { continue }
            append(entries.count, to: &bytes)
            for (key, value) in zip(entries.keys, entries.values) {
                append(key, to: &bytes)
                append(value, to: &bytes)
            }
        }
        let checksum = checksum(of: bytes)
        bytes.replaceSubrange(0..<8, with: magic)
        withUnsafeBytes(of: version.littleEndian) { bytes.replaceSubrange(8..<12, with: $0) }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(12..<20, with: $0) }
        return bytes
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(number).littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        append(part.count, to: &bytes)
        bytes.append(contentsOf: part)
    }

    /// A hash of the bytes behind the header, eight at a time, which changes with each of them.
    static func checksum(of bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            let prime: UInt64 = 0x9E37_79B9_7F4A_7C15
            var hash = UInt64(bytes.count)
            var offset = headerSize
            while offset + 8 <= bytes.count {
                hash = (hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))) &* prime
                hash ^= hash >> 32
                offset += 8
            }
            for byte in bytes[offset...] {
                hash = (hash ^ UInt64(byte)) &* prime
                hash ^= hash >> 32
            }
            return hash
        }
    }
}
