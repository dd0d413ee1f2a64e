/// Where an index and its objects disagree.
enum IndexDifference: Sendable, Hashable {
    /// An object is not in the index.
    case missing(recordKey: [UInt8])
    /// The index holds a document that is no object.
    case stale(recordKey: [UInt8])
    /// The index holds other words of an object than it has.
    case wrong(recordKey: [UInt8], reason: String)
    /// The index's own bytes do not fit together.
    case damaged(reason: String)
}
