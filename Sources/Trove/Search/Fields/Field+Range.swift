extension Field where Value: StorableKey & Comparable {
    /// Whether the value is in a range, as in `$0.year.isIn(1950...1960)`.
    public func isIn(_ range: ClosedRange<Value>) -> Condition { self >= range.lowerBound && self <= range.upperBound }

    /// Whether the value is in a range, whose upper bound is not part of it.
    public func isIn(_ range: Range<Value>) -> Condition { self >= range.lowerBound && self < range.upperBound }
}

extension Field where Value: StorableKey {
    /// Whether the value is in a range; nil is in none.
    public func isIn<Bound>(_ range: ClosedRange<Bound>) -> Condition where Value == Bound? { self >= range.lowerBound && self <= range.upperBound }

    /// Whether the value is in a range, whose upper bound is not part of it; nil is in none.
    public func isIn<Bound>(_ range: Range<Bound>) -> Condition where Value == Bound? { self >= range.lowerBound && self < range.upperBound }
}

// `(1950...1960).contains($0.year)` and `["a", "b"].contains($0.artist)`, as `#Predicate` has them.

extension ClosedRange where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field.isIn(self) }
}

extension Range where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field.isIn(self) }
}

extension PartialRangeFrom where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field >= lowerBound }
}

extension PartialRangeThrough where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field <= upperBound }
}

extension PartialRangeUpTo where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field < upperBound }
}

extension Array {
    /// Whether a field's value is one of the array's.
    public func contains(_ field: Field<Element>) -> Condition { field.isIn(self) }
}

extension Set {
    /// Whether a field's value is one of the set's.
    public func contains(_ field: Field<Element>) -> Condition { field.isIn(self) }
}
