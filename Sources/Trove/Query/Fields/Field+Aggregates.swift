// Aggregates of the members of a collection: `$0.songs.sum(\.duration)`, `$0.scores.maximum()`. Each leads to nil where there is no collection.

/// The aggregate of a value of each member of a collection, as a closure over one member names it.
func memberField<Member, Value, Result>(
    _ path: FieldPath, _ scope: ElementScope?, _ problem: TroveError?, _ aggregate: MemberAggregate, _ value: (Field<Member>) -> Field<Value>
) -> Field<Result> {
    let element = ElementScope()
    let member = value(Field(path: .element, scope: element))
    return Field(scope: scope, problem: problem ?? member.problem) { () throws(TroveError) in
        guard member.scope == element, member.path.aggregate == nil else {
            throw .invalidQuery(reason: "\(aggregate.rawValue)(\(path)) is of one value of each member; name a property of the member alone, without an aggregate of its own")
        }
        return FieldPath(field: path.field, names: path.names + member.path.names, aggregate: aggregate)
    }
}

extension Field where Value: MemberCollection {
    private func aggregate<Member, Result>(_ aggregate: MemberAggregate, _ value: (Field<Value.Member>) -> Field<Member>) -> Field<Result> {
        memberField(path, scope, problem, aggregate, value)
    }

    /// The sum of a number of each member: `$0.songs.sum(\.duration)`, `$0.lines.sum { $0.price }`; 0 of none, nil where there is no collection.
    ///
    /// ```swift
    /// let longest = try store.fetch(Album.self).sorted(by: { $0.songs.sum(\.duration) }, .descending).limit(10).all()
    /// ```
    ///
    /// Objects that are not stored, and numbers that are nil, are left out. Integers and decimals are added exactly, others rounded once. The query throws
    /// ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold a sum.
    ///
    /// - Complexity: of a relationship, each of its objects is read once for a query, many together; in a condition those of one object together.
    public func sum<Number: Summable>(_ number: (Field<Value.Member>) -> Field<Number>) -> Field<Number.Sum?> { aggregate(.sum, number) }

    /// The sum of a number of each member, without those that are nil.
    public func sum<Number: Summable>(_ number: (Field<Value.Member>) -> Field<Number?>) -> Field<Number.Sum?> { aggregate(.sum, number) }

    /// The average of a number of each member: `$0.songs.average(\.rating)`; nil of none.
    public func average<Number: Numeric & Storable>(_ number: (Field<Value.Member>) -> Field<Number>) -> Field<Double?> { aggregate(.average, number) }

    /// The average of a number of each member, without those that are nil.
    public func average<Number: Numeric & Storable>(_ number: (Field<Value.Member>) -> Field<Number?>) -> Field<Double?> { aggregate(.average, number) }

    /// The least value of a property of the members: `$0.songs.minimum(\.year)`; nil of none.
    public func minimum<Wrapped: Storable>(_ value: (Field<Value.Member>) -> Field<Wrapped>) -> Field<Wrapped?> { aggregate(.minimum, value) }

    /// The least value of a property of the members that is not nil.
    public func minimum<Wrapped: Storable>(_ value: (Field<Value.Member>) -> Field<Wrapped?>) -> Field<Wrapped?> { aggregate(.minimum, value) }

    /// The greatest value of a property of the members: `$0.songs.maximum(\.year)`; nil of none.
    public func maximum<Wrapped: Storable>(_ value: (Field<Value.Member>) -> Field<Wrapped>) -> Field<Wrapped?> { aggregate(.maximum, value) }

    /// The greatest value of a property of the members that is not nil.
    public func maximum<Wrapped: Storable>(_ value: (Field<Value.Member>) -> Field<Wrapped?>) -> Field<Wrapped?> { aggregate(.maximum, value) }
}

extension Field where Value: MemberCollection, Value.Member: Summable {
    /// The sum of the numbers in the collection; 0 when it is empty, nil where there is none.
    public func sum() -> Field<Value.Member.Sum?> { aggregate(.sum) { $0 } }
}

extension Field where Value: MemberCollection, Value.Member: Numeric & Storable {
    /// The average of the numbers in the collection; nil when it is empty.
    public func average() -> Field<Double?> { aggregate(.average) { $0 } }
}

extension Field where Value: MemberCollection, Value.Member: Storable {
    /// The least element of the collection; nil when it is empty.
    public func minimum() -> Field<Value.Member?> { aggregate(.minimum) { $0 } }

    /// The greatest element of the collection; nil when it is empty.
    public func maximum() -> Field<Value.Member?> { aggregate(.maximum) { $0 } }
}

extension Members {
    /// The members' own aggregate; keys have none.
    fileprivate func aggregate<Value, Result>(_ aggregate: MemberAggregate, _ value: (Field<Element>) -> Field<Value>) -> Field<Result> {
        let isOfValues = part == .elements || part == .values
        let refused = TroveError.invalidQuery(reason: "\(aggregate.rawValue) is of the elements of lists and the values of dictionaries, not of the \(part.rawValue) of '\(path)'")
        return memberField(path.appending(FieldPath.everyMember), scope, problem ?? (isOfValues ? nil : refused), aggregate, value)
    }

    /// The sum of a number of each value: `$0.roles.values.sum(\.fee)`.
    public func sum<Number: Summable>(_ number: (Field<Element>) -> Field<Number>) -> Field<Number.Sum?> { aggregate(.sum, number) }

    /// The sum of a number of each value, without those that are nil.
    public func sum<Number: Summable>(_ number: (Field<Element>) -> Field<Number?>) -> Field<Number.Sum?> { aggregate(.sum, number) }

    /// The average of a number of each value; nil of none.
    public func average<Number: Numeric & Storable>(_ number: (Field<Element>) -> Field<Number>) -> Field<Double?> { aggregate(.average, number) }

    /// The average of a number of each value, without those that are nil.
    public func average<Number: Numeric & Storable>(_ number: (Field<Element>) -> Field<Number?>) -> Field<Double?> { aggregate(.average, number) }

    /// The least value of a property of the values; nil of none.
    public func minimum<Wrapped: Storable>(_ value: (Field<Element>) -> Field<Wrapped>) -> Field<Wrapped?> { aggregate(.minimum, value) }

    /// The least value of a property of the values that is not nil.
    public func minimum<Wrapped: Storable>(_ value: (Field<Element>) -> Field<Wrapped?>) -> Field<Wrapped?> { aggregate(.minimum, value) }

    /// The greatest value of a property of the values; nil of none.
    public func maximum<Wrapped: Storable>(_ value: (Field<Element>) -> Field<Wrapped>) -> Field<Wrapped?> { aggregate(.maximum, value) }

    /// The greatest value of a property of the values that is not nil.
    public func maximum<Wrapped: Storable>(_ value: (Field<Element>) -> Field<Wrapped?>) -> Field<Wrapped?> { aggregate(.maximum, value) }
}

extension Members where Element: Summable {
    /// The sum of the values: `$0.prices.values.sum()`; 0 of none, nil where there is no dictionary.
    public func sum() -> Field<Element.Sum?> { aggregate(.sum) { $0 } }
}

extension Members where Element: Numeric & Storable {
    /// The average of the values; nil of none.
    public func average() -> Field<Double?> { aggregate(.average) { $0 } }
}

extension Members where Element: Storable {
    /// The least of the values; nil of none.
    public func minimum() -> Field<Element?> { aggregate(.minimum) { $0 } }

    /// The greatest of the values; nil of none.
    public func maximum() -> Field<Element?> { aggregate(.maximum) { $0 } }
}
