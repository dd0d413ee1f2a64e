/// The event that a commit survives once `write` has returned.
///
/// The process is the one that has the store open; power is that of the machine that keeps it. On a server, a crash of the server
/// counts as a power loss. How each engine keeps each level is in `docs/durability.md`; where one cannot, its
/// ``StorageCapabilities/promises`` say so.
public enum Durability: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// A clean close. Some engines keep more, see ``StorageCapabilities/promises``; on others a power loss may damage the whole store, with what was durable
    /// before. For loads that can be run again.
    case relaxed
    /// A crash of the process. A power loss may drop a suffix of the commits, never one in the middle.
    case buffered
    /// A power loss.
    case durable

    public static func < (left: Durability, right: Durability) -> Bool {
        left.rawValue < right.rawValue
    }
}
