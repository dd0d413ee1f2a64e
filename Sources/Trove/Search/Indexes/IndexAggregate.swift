/// What an index keeps, at each change, for each combination of its parts' values, so that a grouped query is a lookup.
///
/// The number of objects is always kept with it.
public enum IndexAggregate: Sendable, Hashable {
    /// The number of objects.
    case count
    /// The exact sum of an integer or decimal field.
    case sum(FieldPath)
}
