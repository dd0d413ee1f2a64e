/// The constants of an index's entries; `docs/format.md` draws them.
///
/// An entry's key is the parts' bytes, then the record's key. The first byte of its value tells how the two are told apart.
enum EntryFormat {
    /// The most bytes that parts take in a key; longer ones are cut and given a hash.
    static let maxPartsSize = 240
    /// The bytes that are left of parts that were cut.
    static let keptPartsSize = maxPartsSize - hashSize
    /// The longest record key that is part of an entry's key; of a longer one the hash is, and the value has it whole.
    static let maxRecordKeySize = 255
    static let hashSize = 16

    /// The part of a record whose collection is nil or has no members, for a part of several values: below it come nil (0) and values (1).
    static let noMembers: UInt8 = 2

    /// The first byte of an entry's value: the size of the parts, or above ``maxPartsSize`` that and these flags.
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The parts were cut.
        static let shortened = Flags(rawValue: 1)
        /// The key is the parts alone and the value has the record's key: an entry of a unique index.
        static let unique = Flags(rawValue: 2)
        /// The key has the hash of the record's key, and the value has that key whole.
        static let longRecordKey = Flags(rawValue: 4)
        static let known: Flags = [.shortened, .unique, .longRecordKey]
    }
}

extension ByteWriter {
    /// Cuts the parts' bytes, which begin at `start` and go to the end, when they are too long; returns whether they were.
    mutating func shortenParts(from start: Int) -> Bool {
        guard count - start > EntryFormat.maxPartsSize else { return false }
        let whole = UnsafeRawBufferPointer(start: base + start, count: count - start)
        let hashes = (Checksum.hash(whole, seed: 1), Checksum.hash(whole, seed: 2))
        count = start + EntryFormat.keptPartsSize
        append(hashes.0.bigEndian)
        append(hashes.1.bigEndian)
        return true
    }

    /// Completes an entry's key, of which the parts' bytes begin at `start`, and returns the first byte of the value.
    mutating func finishEntryKey(from start: Int, recordKey: UnsafeRawBufferPointer, isUnique: Bool) -> UInt8 {
        var flags: EntryFormat.Flags = shortenParts(from: start) ? .shortened : []
        let size = count - start
        if isUnique {
            flags.insert(.unique)
        } else if recordKey.count > EntryFormat.maxRecordKeySize {
            flags.insert(.longRecordKey)
            append(Checksum.hash(recordKey, seed: 1).bigEndian)
            append(Checksum.hash(recordKey, seed: 2).bigEndian)
        } else {
            append(recordKey)
        }
        return flags.isEmpty ? UInt8(size) : UInt8(EntryFormat.maxPartsSize) + flags.rawValue
    }

    /// Appends what stands before the covered fields in an entry's value, whose first byte is `header`.
    mutating func appendEntryHeader(_ header: UInt8, recordKey: UnsafeRawBufferPointer) {
        append(header)
        guard header > EntryFormat.maxPartsSize,
            !EntryFormat.Flags(rawValue: header - UInt8(EntryFormat.maxPartsSize)).isDisjoint(with: [.unique, .longRecordKey])
        else { return }
        append(varint: UInt64(recordKey.count))
        append(recordKey)
    }
}
