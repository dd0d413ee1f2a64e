/// What Trove keeps in the 64 bytes that Tokyo Cabinet leaves to its users in the file header.
///
/// Numbers are big endian. The library logs the header with every transaction, so the mark is rolled back with it.
///
///     0   8  "TroveTC", zero     8   4  format version     12  4  the next keyspace's number
///     16  1  whether the counts in the directory are of an older state     17  47  zero
struct Mark: Equatable {
    static let offset = 192
    static let size = 64
    static let magic = Array("TroveTC\0".utf8)
    static let currentVersion: UInt32 = 1

    var version = currentVersion
    /// Numbers are never given twice, so that keys of a dropped keyspace cannot come back.
    var nextNumber: UInt32 = 1
    /// Counts are written at close only; from the first commit on those in the file are old.
    var countsAreStale = false

    init() {}

    /// Reads a mark; nil when these are not Trove's bytes.
    init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.size, bytes.starts(with: Self.magic) else { return nil }
        version = UInt32(bigEndianBytes: bytes[8..<12])
        nextNumber = UInt32(bigEndianBytes: bytes[12..<16])
        countsAreStale = bytes[16] != 0
    }

    /// The mark as it is stored.
    var bytes: [UInt8] {
        var bytes = Self.magic + version.bigEndianBytes + nextNumber.bigEndianBytes
        bytes.append(countsAreStale ? 1 : 0)
        return bytes + [UInt8](repeating: 0, count: Self.size - bytes.count)
    }
}
