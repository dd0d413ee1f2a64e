/// A record as it is in the store.
struct StoredVersion: Sendable {
    /// The record, in the current layout of its model.
    let bytes: [UInt8]
    /// The version of the bytes that are stored.
    let version: UInt64
    /// The layout of the bytes that are stored.
    let layout: RecordLayout
}
