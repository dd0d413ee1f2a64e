/// How far a copy, an upgrade or a verification has come.
public struct StoreProgress: Sendable, Hashable {
    /// The entries done so far.
    public let completed: Int
    /// The entries there are in all.
    public let total: Int

    /// The part done, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}
