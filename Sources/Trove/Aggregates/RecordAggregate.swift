/// A value computed over records of a model by its name: a count, a sum, an average, the least or greatest value, as ``Aggregate`` is of objects.
///
/// ```swift
/// let songs = store.fetchRecords(of: ["Song"]).matching("year > 1950")
/// for group in try songs.aggregate([.count, .average(FieldPath("rating"))], by: [FieldPath("artist")]) { print(group.key[0], group.values[1]) }
/// ```
///
/// It names its value by a path and gives a ``StoredValue``, so that a list of them can be made while the program runs.
public struct RecordAggregate: Sendable, Hashable {
    let specification: AggregateSpecification

    private init(_ function: AggregateFunction, _ path: FieldPath?) { specification = AggregateSpecification(function: function, path: path) }

    /// The number of records.
    public static let count = RecordAggregate(.count, nil)

    /// The exact sum of the numbers at a path, in their own number type; 0 when there are none.
    public static func sum(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.sum, path) }

    /// The average of the numbers at a path, a double; nil when there are none.
    public static func average(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.average, path) }

    /// The least value at a path that is not nil, in sort order; nil when there is none.
    public static func minimum(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.minimum, path) }

    /// The greatest value at a path that is not nil, in sort order; nil when there is none.
    public static func maximum(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.maximum, path) }

    /// The number of different values at a path, without nil.
    public static func countDistinct(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.countDistinct, path) }
}
