/// A key and a record being written, whose memory serves one object after the other.
@usableFromInline struct RecordBuffer: ~Copyable {
    /// The whole key: the id's bytes.
    @usableFromInline var key = KeyEncoder()
    @usableFromInline var record = RecordEncoder()
    /// The engine's key when it is a shortened form of ``key``.
    private var shortened: RecordKey?

    @usableFromInline init() {}

    var hasLongKey: Bool { shortened != nil }

    /// The engine's key.
    var recordKey: RecordKey { shortened ?? RecordKey(key.bytes) }

    /// The whole key, when the engine's is a shortened form of it.
    var longKey: [UInt8]? { shortened?.long }

    /// Leaves the key of an id in the buffer, and no record.
    mutating func setKey(_ id: some StorableKey) {
        key.removeAll()
        id.encode(into: &key)
        shortened = key.bytes.count > RecordKey.maxWholeSize ? RecordKey(key.bytes) : nil
    }

    /// Begins the record of the object whose id is in ``key``.
    mutating func begin(_ layout: RecordLayout, isWide: Bool) {
        shortened = key.bytes.count > RecordKey.maxWholeSize ? RecordKey(key.bytes) : nil
        record.begin(layout, hasLongKey: hasLongKey, isWide: isWide)
    }

    /// Ends the record; false when it has to be written again with wide ends.
    ///
    /// - Throws: ``TroveError/schemaMismatch(model:reason:)``.
    @usableFromInline mutating func finish() throws -> Bool {
        if let shortened {
            try record.finish(key: shortened.bytes.span.bytes, longKey: shortened.long)
        } else {
            try record.finish(key: key.bytes.span.bytes, longKey: nil)
        }
        return !record.needsWideEnds
    }

    /// Calls `body` with the engine's key.
    borrowing func withKey<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        let bytes = shortened?.bytes ?? key.bytes
        return try body(bytes.span.bytes)
    }

    /// Calls `body` with the engine's key and the record.
    borrowing func withBytes<Result>(_ body: (_ key: RawSpan, _ record: RawSpan) throws -> Result) rethrows -> Result {
        let bytes = shortened?.bytes ?? key.bytes
        return try record.bytes.withBytes { try body(bytes.span.bytes, $0) }
    }
}
