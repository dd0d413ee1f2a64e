/// The objects of a query that have some values in common, and what was computed of them.
public struct Group<Key: Sendable, Values: Sendable>: Sendable {
    /// What the objects have in common: a value, or a tuple of several.
    public let key: Key
    /// The aggregates: a value, or a tuple of several.
    public let values: Values
}
