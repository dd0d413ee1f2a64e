/// The version of a stored record, by which a save finds out whether somebody else changed it: a hash of its bytes. Never 0.
enum RecordVersion {
    static func of(_ record: [UInt8]) -> UInt64 { record.withUnsafeBytes { RecordChecksum.version(of: $0) } }

    static func of(_ record: RawSpan) -> UInt64 { record.withUnsafeBytes { RecordChecksum.version(of: $0) } }

    static func of(_ record: borrowing RecordDecoder) -> UInt64 {
        RecordChecksum.version(of: UnsafeRawBufferPointer(start: record.base, count: record.count))
    }
}

/// A record as it is in the store.
struct StoredVersion: Sendable {
    /// The record, in the current layout of its model.
    let bytes: [UInt8]
    /// The record as it is stored; nil where nobody looked.
    var storedBytes: [UInt8]?
    /// The version of the bytes that are stored.
    let version: UInt64
    /// The layout of the bytes that are stored.
    let layout: RecordLayout
}
