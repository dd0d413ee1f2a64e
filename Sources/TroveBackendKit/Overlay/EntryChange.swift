/// The change of one entry by a transaction.
public struct EntryChange: Sendable, Hashable {
    /// The entry's key.
    public let key: [UInt8]
    /// Its new value; nil when the entry is removed.
    public let value: [UInt8]?

    /// Describes a change.
    public init(key: [UInt8], value: [UInt8]?) {
        self.key = key
        self.value = value
    }
}
