extension Field where Value: StorableKey & Comparable {
    /// Whether the value is in a range, as in `$0.year.isIn(1950...1960)`.
    public func isIn(_ range: ClosedRange<Value>) -> Condition { self >= range.lowerBound && self <= range.upperBound }

    /// Whether the value is in a range without its upper bound.
    public func isIn(_ range: Range<Value>) -> Condition { self >= range.lowerBound && self < range.upperBound }

    /// Whether the value is in a range without an end, as in `$0.year.isIn(1950...)`.
    public func isIn(_ range: PartialRangeFrom<Value>) -> Condition { self >= range.lowerBound }

    /// Whether the value is in a range without a beginning.
    public func isIn(_ range: PartialRangeThrough<Value>) -> Condition { self <= range.upperBound }

    /// Whether the value is in a range without a beginning and without its upper bound.
    public func isIn(_ range: PartialRangeUpTo<Value>) -> Condition { self < range.upperBound }
}

extension Field where Value: StorableKey {
    /// Whether the value is in a range; false for nil.
    public func isIn<Bound>(_ range: ClosedRange<Bound>) -> Condition where Value == Bound? { self >= range.lowerBound && self <= range.upperBound }

    /// Whether the value is in a range without its upper bound; false for nil.
    public func isIn<Bound>(_ range: Range<Bound>) -> Condition where Value == Bound? { self >= range.lowerBound && self < range.upperBound }

    /// Whether the value is in a range without an end; false for nil.
    public func isIn<Bound>(_ range: PartialRangeFrom<Bound>) -> Condition where Value == Bound? { self >= range.lowerBound }

    /// Whether the value is in a range without a beginning; false for nil.
    public func isIn<Bound>(_ range: PartialRangeThrough<Bound>) -> Condition where Value == Bound? { self <= range.upperBound }

    /// Whether the value is in a range without a beginning and without its upper bound; false for nil.
    public func isIn<Bound>(_ range: PartialRangeUpTo<Bound>) -> Condition where Value == Bound? { self < range.upperBound }
}

// `(1950...1960).contains($0.year)` and `["a", "b"].contains($0.artist)`, as `#Predicate` has them; of optional properties too.

extension ClosedRange where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field.isIn(self) }

    /// Whether a field's value is in the range; false for nil.
    public func contains(_ field: Field<Bound?>) -> Condition { field.isIn(self) }
}

extension Range where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field.isIn(self) }

    /// Whether a field's value is in the range; false for nil.
    public func contains(_ field: Field<Bound?>) -> Condition { field.isIn(self) }
}

extension PartialRangeFrom where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field.isIn(self) }

    /// Whether a field's value is in the range; false for nil.
    public func contains(_ field: Field<Bound?>) -> Condition { field.isIn(self) }
}

extension PartialRangeThrough where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field.isIn(self) }

    /// Whether a field's value is in the range; false for nil.
    public func contains(_ field: Field<Bound?>) -> Condition { field.isIn(self) }
}

extension PartialRangeUpTo where Bound: StorableKey {
    /// Whether a field's value is in the range.
    public func contains(_ field: Field<Bound>) -> Condition { field.isIn(self) }

    /// Whether a field's value is in the range; false for nil.
    public func contains(_ field: Field<Bound?>) -> Condition { field.isIn(self) }
}

extension Array where Element: Equatable {
    /// Whether a field's value is in the array.
    public func contains(_ field: Field<Element>) -> Condition { field.isIn(self) }

    /// Whether a field's value is in the array; false for nil.
    public func contains(_ field: Field<Element?>) -> Condition { field.isIn(self) }
}

extension Set {
    /// Whether a field's value is in the set.
    public func contains(_ field: Field<Element>) -> Condition { field.isIn(self) }

    /// Whether a field's value is in the set; false for nil.
    public func contains(_ field: Field<Element?>) -> Condition { field.isIn(self) }
}
