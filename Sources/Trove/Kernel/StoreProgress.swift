/// The progress of a copy, an upgrade, a verification or the building of an index.
public struct StoreProgress: Sendable, Hashable {
    /// The number of entries done.
    public let completed: Int
    /// The number of entries in all.
    public let total: Int

    /// The part done, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}
