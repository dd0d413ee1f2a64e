/// What is computed over the objects of a query or group.
enum AggregateFunction: Sendable, Hashable {
    case count
    case sum, average, minimum, maximum
    case countDistinct
}
