/// With what a store is sealed.
public struct SealingStatus: Sendable, Hashable {
    /// A key that entries are sealed with.
    public struct DataKey: Sendable, Hashable {
        /// Its number; later keys have higher ones.
        public let number: UInt32
        /// Whether it is the one that is sealed with now.
        public let isActive: Bool
        /// How many nodes and large values of a sealed store, or values of encrypted properties, are sealed with it.
        public let sealedValueCount: Int
    }

    /// How many keys and passphrases open the store.
    public let rootKeyCount: Int
    /// The data keys, the oldest first. More than one while a rotation is not finished.
    public let dataKeys: [DataKey]
    /// How many changes were committed since the store was made.
    public let commitCount: UInt64

    /// How many nodes and large values are sealed with another key than the active one.
    public var outdatedValueCount: Int { dataKeys.outdatedValueCount }
}

extension [SealingStatus.DataKey] {
    /// How many values are sealed with another key than the active one.
    var outdatedValueCount: Int { reduce(0) { $0 + ($1.isActive ? 0 : $1.sealedValueCount) } }
}
