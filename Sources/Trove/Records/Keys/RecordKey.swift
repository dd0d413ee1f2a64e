/// An id's bytes as the engine's key: whole, or shortened when every engine's limit asks for it.
///
/// Bytes up to 510 are the key. Longer ones are cut to 495 and followed by 16 bytes of hash, so a shortened key has
/// 511 bytes and never equals a whole one; the record then holds the whole bytes, and matches are checked against them.
@usableFromInline struct RecordKey {
    static let maxWholeSize = StorageLimits.maxKeySize - 1
    private static let keptSize = StorageLimits.maxKeySize - 16

    /// The engine's key.
    let bytes: [UInt8]
    /// The id's bytes when `bytes` is a shortened form of them.
    let long: [UInt8]?

    @usableFromInline init(_ whole: [UInt8]) {
        guard whole.count > Self.maxWholeSize else {
            bytes = whole
            long = nil
            return
        }
        var shortened = Array(whole[..<Self.keptSize])
        for seed in [UInt64(1), 2] {
            withUnsafeBytes(of: Checksum.hash(whole, seed: seed).bigEndian) { shortened.append(contentsOf: $0) }
        }
        bytes = shortened
        long = whole
    }
}
