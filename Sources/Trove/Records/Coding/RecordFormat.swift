/// The constants of a record's header; `docs/format.md` draws it.
enum RecordFormat {
    /// The first byte of every record.
    static let version: UInt8 = 1

    /// The bits of the second byte. The checksum covers the same bytes whatever they are, so a record with others than the ``known`` ones whose
    /// checksum fits was written by a newer version, and is not damaged.
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The table of ends has four bytes an entry; otherwise two.
        static let wideEnds = Flags(rawValue: 1)
        /// The last variable value is the whole key, of which the engine's key is a shortened form.
        static let longKey = Flags(rawValue: 2)
        /// Fields are encrypted: they are empty, and the last variable value has their bytes. Above ``SealingReader`` it says that nobody could open them.
        static let sealedFields = Flags(rawValue: 4)
        /// Kept for records that have the stamp of their last change.
        static let changeStamp = Flags(rawValue: 8)
        /// In memory alone, beside ``sealedFields``: the fields could not be opened with the store's keys, or are in the clear and must not be.
        static let unopened = Flags(rawValue: 128)
        /// Those that this version reads.
        static let known: Flags = [.wideEnds, .longKey]

        /// - Parameter passingOver: whether a record may have sealed fields, which nobody is going to read.
        /// - Throws: `DecodingFault`, when there are others than the ``known`` ones.
        func checkKnown(passingOver: Bool = false) throws {
            if isSubset(of: passingOver ? Flags.known.union(.sealedFields) : .known) { return }
            if isSuperset(of: [.sealedFields, .unopened]) {
                throw DecodingFault.damaged(
                    "its encrypted properties cannot be opened: they are not what was stored with this object, or not sealed, or their key is gone")
            }
            throw isSubset(of: Flags.known.union(.sealedFields)) ? DecodingFault.sealed : .newer
        }
    }

    /// The checksum of a record of at least eight bytes: of the bytes before and after the checksum's own four, and of its key.
    @inline(__always)
    static func checksum(of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt32 {
        let head = UInt32(littleEndian: record.loadUnaligned(as: UInt32.self))
        return RecordChecksum.hash(UnsafeRawBufferPointer(rebasing: record[RecordLayout.headerSize...]), key: key, head: head)
    }

    /// Whether the checksum of a record of at least eight bytes fits its bytes and key.
    static func isSound(_ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> Bool {
        UInt32(littleEndian: record.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) == checksum(of: record, key: key)
    }
}
