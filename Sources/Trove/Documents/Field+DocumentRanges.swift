/// Ranges of an attribute's values. A value of another kind than the bounds is in none of them; numbers are one kind.
extension Field where Value == StoredValue {
    /// Whether the value is in a range, as in `$0["year"].isIn(1950...1960)`: also one between two whole numbers.
    public func isIn<Bound: Storable>(_ range: ClosedRange<Bound>) -> Condition { self >= range.lowerBound && self <= range.upperBound }

    /// Whether the value is in a range without its upper bound.
    public func isIn<Bound: Storable>(_ range: Range<Bound>) -> Condition { self >= range.lowerBound && self < range.upperBound }

    /// Whether the value is in a range without an end, as in `$0["year"].isIn(1950...)`.
    public func isIn<Bound: Storable>(_ range: PartialRangeFrom<Bound>) -> Condition { self >= range.lowerBound }

    /// Whether the value is in a range without a beginning.
    public func isIn<Bound: Storable>(_ range: PartialRangeThrough<Bound>) -> Condition { self <= range.upperBound }

    /// Whether the value is in a range without a beginning and without its upper bound.
    public func isIn<Bound: Storable>(_ range: PartialRangeUpTo<Bound>) -> Condition { self < range.upperBound }
}
