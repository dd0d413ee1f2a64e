/// The constants of a record's header; `docs/format.md` draws it.
enum RecordFormat {
    /// The first byte of every record.
    static let version: UInt8 = 1

    /// The bits of the second byte.
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The table of ends has four bytes an entry; otherwise two.
        static let wideEnds = Flags(rawValue: 1)
        /// The last variable value is the whole key, of which the engine's key is a shortened form.
        static let longKey = Flags(rawValue: 2)
        static let known: Flags = [.wideEnds, .longKey]
    }

    /// The checksum of a record: of the bytes before and after the checksum's own four, and of its key.
    static func checksum(of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt32 {
        checksum(of: record, key: key, Checksum.Multipliers())
    }

    /// The same, fast where the multipliers come from memory; `record` has at least eight bytes.
    @inline(__always)
    static func checksum(
        of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ multipliers: Checksum.Multipliers
    ) -> UInt32 {
        let head = UInt64(record.loadUnaligned(as: UInt32.self).littleEndian)
        let seed: UInt64
        if key.count == 16, let key = key.baseAddress {
            seed = Checksum.hash16(key, seed: head, multipliers)
        } else {
            seed = Checksum.hash(key, seed: head)
        }
        let body = UnsafeRawBufferPointer(rebasing: record[RecordLayout.headerSize...])
        return UInt32(truncatingIfNeeded: Checksum.hash(body, seed: seed, multipliers))
    }
}
