/// What an ``Index`` keeps up to date for each combination of its parts' values; in the catalogue it is an ``IndexAggregate``.
public enum IndexedAggregate<Object>: Sendable {
    /// The number of objects.
    case count
    /// The exact sum of an integer or decimal property.
    case sum(PartialKeyPath<Object> & Sendable)
}
