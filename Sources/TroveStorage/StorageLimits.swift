/// The limits that every engine accepts, so that a store can move to any other engine.
public enum StorageLimits {
    /// The longest key, in bytes: LMDB's limit as it is commonly built.
    public static let maxKeySize = 511

    /// Whether a key may have so many bytes on every engine.
    package static func isKeySize(_ count: Int) -> Bool { (1...maxKeySize).contains(count) }

    /// The largest value, in bytes: 512 MiB, which fits SQLite's default limit of 1,000,000,000 with room.
    public static let maxValueSize = 512 << 20

    /// The longest keyspace name, in UTF-8 bytes.
    public static let maxKeyspaceNameSize = 255

    /// The number of keyspaces that every engine can hold.
    public static let minKeyspaces = 4_000
}
