/// A range of Swift's, of which the bounds are to be known whatever their type.
protocol BoundedValues {
    /// The bounds; nil where there is none. `isClosed` is of the upper one.
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension Range: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, true) }
}

extension PartialRangeThrough: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}

extension PartialRangeUpTo: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}
