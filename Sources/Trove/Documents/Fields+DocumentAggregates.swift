/// Aggregates of lists in documents: `$0["lines"].sum { $0["price"] }`, `$0["scores"].maximum()`.
///
/// Each leads to nil where there is no list and no object. A value that is no number makes a query with a sum or average throw
/// ``TroveError/incomparable(model:path:reason:)``.
extension Field where Value == StoredValue {
    private func aggregate<Result>(_ aggregate: MemberAggregate, _ value: (Field<StoredValue>) -> Field<StoredValue>) -> Field<Result> {
        memberField(path, scope, problem, aggregate, value)
    }

    /// The sum of a number of each element, of those that have it; 0 of none.
    public func sum(_ number: (Field<StoredValue>) -> Field<StoredValue> = { $0 }) -> Field<StoredValue> { aggregate(.sum, number) }

    /// The average of a number of each element, of those that have it; nil of none.
    public func average(_ number: (Field<StoredValue>) -> Field<StoredValue> = { $0 }) -> Field<Double?> { aggregate(.average, number) }

    /// The least value of each element that is not nil; nil of none.
    public func minimum(_ value: (Field<StoredValue>) -> Field<StoredValue> = { $0 }) -> Field<StoredValue> { aggregate(.minimum, value) }

    /// The greatest value of each element that is not nil; nil of none.
    public func maximum(_ value: (Field<StoredValue>) -> Field<StoredValue> = { $0 }) -> Field<StoredValue> { aggregate(.maximum, value) }
}
