/// The numbers of what is stored.
enum FullTextFormat {
    /// The version of the blocks' layout.
    static let version: UInt8 = 1
    /// The version of what words are: case folding, marks, boundaries, stems. Indexes of another are refused until they are rebuilt.
    static let analysis: UInt8 = 1

    /// How many documents share an entry of lengths.
    static let groupSize: UInt64 = 1024
    /// How many documents share an entry of record keys.
    static let keyBlockSize: UInt64 = 32
    /// All documents have lower numbers, so that no sum of what is read of them overflows.
    static let numberLimit: UInt64 = 1 << 40
    /// The most words that all documents together may count.
    static let wordLimit: UInt64 = 1 << 56
    /// The size of the checksum that begins every value.
    static let checksumSize = 4

    /// The first four bytes of a value: the low half of XXH64 over the rest, seeded with XXH64 of the key.
    static func checksum(of rest: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(truncatingIfNeeded: Checksum.hash(rest, seed: Checksum.hash(key)))
    }

    /// The bytes after the checksum; nil when it does not fit them and the key.
    @inline(__always)
    static func checked(_ value: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard value.count >= checksumSize else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: value[checksumSize...])
        let stored = UInt32(littleEndian: value.loadUnaligned(as: UInt32.self))
        return stored == checksum(of: rest, key: key) ? rest : nil
    }
}

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

/// Where a term stands in a document: the field in the upper half, the word's number in the lower.
struct Occurrence: Sendable, Hashable, BitwiseCopyable {
    let rawValue: UInt64

    @inline(__always)
    init(field: Int, position: Int) {
        rawValue = UInt64(field) << 32 | UInt64(UInt32(clamping: position))
    }
}
