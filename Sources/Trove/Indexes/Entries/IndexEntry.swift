/// An entry of an ordered index, taken apart: which record it is of, by which values.
///
/// Its bytes are the engine's, valid in the closure that was given them.
struct IndexEntry {
    /// The bytes of the parts, each in its direction; cut and with a hash at the end when ``isShortened``.
    let parts: UnsafeRawBufferPointer
    /// Whether the parts were too long, so that a match on them has to be compared with the record.
    let isShortened: Bool
    /// The engine's key of the record.
    let recordKey: UnsafeRawBufferPointer
    /// Whether the key is the parts alone, so that there is one record of them.
    let isUnique: Bool
    /// The values of the covered fields in the nested encoding, one after the other.
    let covered: UnsafeRawBufferPointer

    /// Calls `body` with the entry of this key and value.
    ///
    /// - Throws: ``TroveError/corruptValue(reason:)`` when they are no entry.
    static func read<Result>(_ key: RawSpan, _ value: RawSpan, _ body: (IndexEntry) throws -> Result) throws -> Result {
        try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { value in try body(IndexEntry(key, value)) }
        }
    }

    /// The entry of these pieces, which it must not outlive.
    init(parts: UnsafeRawBufferPointer, isShortened: Bool, recordKey: UnsafeRawBufferPointer, isUnique: Bool, covered: UnsafeRawBufferPointer) {
        self.parts = parts
        self.isShortened = isShortened
        self.recordKey = recordKey
        self.isUnique = isUnique
        self.covered = covered
    }

    /// The entry in these bytes, of which it keeps hold: it must not outlive them.
    init(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws {
        guard let header = value.first else { throw Self.damaged }
        if header <= EntryFormat.maxPartsSize {
            let size = Int(header)
            guard size < key.count else { throw Self.damaged }
            parts = UnsafeRawBufferPointer(rebasing: key[..<size])
            recordKey = UnsafeRawBufferPointer(rebasing: key[size...])
            covered = UnsafeRawBufferPointer(rebasing: value[1...])
            isShortened = false
            isUnique = false
            return
        }
        let flags = EntryFormat.Flags(rawValue: header - UInt8(EntryFormat.maxPartsSize))
        guard flags.isSubset(of: .known), !flags.isSuperset(of: [.unique, .longRecordKey]) else { throw Self.damaged }
        isShortened = flags.contains(.shortened)
        isUnique = flags.contains(.unique)
        if flags.isDisjoint(with: [.unique, .longRecordKey]) {
            guard key.count > EntryFormat.maxPartsSize else { throw Self.damaged }
            parts = UnsafeRawBufferPointer(rebasing: key[..<EntryFormat.maxPartsSize])
            recordKey = UnsafeRawBufferPointer(rebasing: key[EntryFormat.maxPartsSize...])
            covered = UnsafeRawBufferPointer(rebasing: value[1...])
            return
        }
        let size = key.count - (flags.contains(.unique) ? 0 : EntryFormat.hashSize)
        guard size > 0, !isShortened || size == EntryFormat.maxPartsSize else { throw Self.damaged }
        parts = UnsafeRawBufferPointer(rebasing: key[..<size])
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: value[1...]))
        recordKey = try reader.take(reader.count()) { $0 }
        covered = UnsafeRawBufferPointer(rebasing: value[(1 + reader.position)...])
    }

    private static var damaged: TroveError { .corruptValue(reason: "the bytes are not those of an index's entry") }
}

extension IndexEntry {
    /// The entry of this key and value, for as long as they are.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)``.
    @inline(__always)
    static func readable(_ key: RawSpan, _ value: RawSpan, of index: IndexBinding) throws -> IndexEntry {
        try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { value in
                do {
                    return try IndexEntry(key, value)
                } catch {
                    throw index.corrupt("\(error)")
                }
            }
        }
    }
}
