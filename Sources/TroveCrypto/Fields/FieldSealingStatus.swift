/// With what the encrypted properties of a store are sealed.
public struct FieldSealingStatus: Sendable, Hashable {
    /// How many keys and passphrases open the properties.
    public let rootKeyCount: Int
    /// The data keys, the oldest first, and how many values are sealed with each. More than one while a rotation is not finished.
    public let dataKeys: [SealingStatus.DataKey]
    /// How many values of each encrypted property, `Model.property`, are not sealed yet.
    public let plainValueCounts: [String: Int]
    /// The properties, `Model.property`, in which a value that is not sealed is refused.
    public let closedProperties: Set<String>

    /// How many values are sealed with another key than the active one.
    public var outdatedValueCount: Int { dataKeys.outdatedValueCount }
}
