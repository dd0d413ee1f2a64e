/// The constants of a record's header; `docs/format.md` draws it.
enum RecordFormat {
    /// The first byte of the records written now.
    static let version: UInt8 = 2
    /// The first byte of records of the first format, which have another checksum and are alike otherwise.
    static let firstVersion: UInt8 = 1

    /// The bits of the second byte.
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The table of ends has four bytes an entry; otherwise two.
        static let wideEnds = Flags(rawValue: 1)
        /// The last variable value is the whole key, of which the engine's key is a shortened form.
        static let longKey = Flags(rawValue: 2)
        static let known: Flags = [.wideEnds, .longKey]
    }

    /// The checksum of a record of at least eight bytes: of the bytes before and after the checksum's own four, and of its key.
    static func checksum(of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt32 {
        record[0] == firstVersion ? firstChecksum(of: record, key: key) : presentChecksum(of: record, key: key)
    }

    /// The checksum of records of the first format.
    private static func firstChecksum(of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt32 {
        let head = UInt64(record.loadUnaligned(as: UInt32.self).littleEndian)
        let body = UnsafeRawBufferPointer(rebasing: record[RecordLayout.headerSize...])
        return UInt32(truncatingIfNeeded: Checksum.hash(body, seed: Checksum.hash(key, seed: head)))
    }

    /// The checksum of the records written now.
    @inline(__always)
    static func presentChecksum(of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt32 {
        let head = UInt32(littleEndian: record.loadUnaligned(as: UInt32.self))
        return RecordChecksum.hash(UnsafeRawBufferPointer(rebasing: record[RecordLayout.headerSize...]), key: key, head: head)
    }
}
