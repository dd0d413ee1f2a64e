/// How an index disagrees with the records, as ``ObjectStore/verify(progress:)-swift.method`` found.
///
/// ``ObjectStore/rebuildIndexes(of:progress:)-swift.method`` mends it.
public struct IndexDamage: Sendable, Hashable, CustomStringConvertible {
    /// The name of the model.
    public let model: String
    /// The name of the index.
    public let index: String
    /// Entries that records should have and do not.
    public internal(set) var missing = 0
    /// Entries of records that are gone or have other values.
    public internal(set) var stale = 0
    /// Entries that are there and hold something else than they should; counts, sums and statistics too.
    public internal(set) var wrong = 0

    public var description: String {
        "the index '\(index)' of \(model): \(missing) entries missing, \(stale) stale, \(wrong) wrong"
    }

    var isNone: Bool { missing + stale + wrong == 0 }
}
