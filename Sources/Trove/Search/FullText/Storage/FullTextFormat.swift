/// The numbers of what is stored.
enum FullTextFormat {
    /// The version of the blocks' layout.
    static let version: UInt8 = 1
    /// The version of what words are: case folding, marks, boundaries, stems. Indexes of another are built anew.
    static let analysis: UInt8 = 1

    /// How many documents share an entry of lengths.
    static let groupSize: UInt64 = 1024
    /// How many documents share an entry of record keys.
    static let keyBlockSize: UInt64 = 32
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
