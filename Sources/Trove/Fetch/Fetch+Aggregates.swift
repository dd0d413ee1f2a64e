/// Aggregates over the objects of a query, in one snapshot and one pass; see ``Aggregate``.
extension Fetch {
    /// Several aggregates at once.
    ///
    /// ```swift
    /// let (count, seconds, newest) = try store.fetch(Song.self).aggregate(.count, .sum(\.seconds), .maximum(\.year))
    /// ```
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/incomparable(model:path:reason:)`` for the least or greatest of values without order.
    public func aggregate<each Value>(_ aggregates: repeat Aggregate<Object, each Value>) throws -> (repeat each Value) {
        let specifications = try AggregateSpecification.list(repeat each aggregates)
        let scope = draft.reading(specifications.lazy.compactMap(\.path))
        let values = try source.read(of: scope) { try $0.totals(specifications, of: Object.self, draft) }
        return try AggregateSpecification.results(values, of: draft.query.model, repeat each aggregates)
    }

    /// One aggregate.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/incomparable(model:path:reason:)`` for the least or greatest of values without order.
    public func aggregate<Value>(_ aggregate: Aggregate<Object, Value>) throws -> Value {
        let specification = try AggregateSpecification(aggregate)
        let scope = draft.reading(CollectionOfOne(specification).lazy.compactMap(\.path))
        let values = try source.read(of: scope) { try $0.totals([specification], of: Object.self, draft) }
        return try aggregate.result(values[0], of: draft.query.model)
    }

    /// The sum of a number property, of the type that ``Summable`` names; 0 when there are no objects.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum.
    public func sum<Number: Summable>(_ property: KeyPath<Object, Number> & Sendable) throws -> Number.Sum {
        try aggregate(Aggregate<Object, Number.Sum>.sum(property))
    }

    /// The sum of a property's numbers that are not nil; 0 when there are none.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum.
    public func sum<Number: Summable>(_ property: KeyPath<Object, Number?> & Sendable) throws -> Number.Sum {
        try aggregate(Aggregate<Object, Number.Sum>.sum(property))
    }

    /// The exact sum of an integer property as a type that is wide enough: `sum(\.bytes, as: Int128.self)`; 0 of none.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public func sum<Number: Summable & FixedWidthInteger, Sum: FixedWidthInteger & Storable>(
        _ property: KeyPath<Object, Number> & Sendable, as type: Sum.Type
    ) throws -> Sum {
        try aggregate(Aggregate<Object, Sum>.sum(property, as: type))
    }

    /// The exact sum of a property's integers that are not nil, as a type that is wide enough; 0 when there are none.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public func sum<Number: Summable & FixedWidthInteger, Sum: FixedWidthInteger & Storable>(
        _ property: KeyPath<Object, Number?> & Sendable, as type: Sum.Type
    ) throws -> Sum {
        try aggregate(Aggregate<Object, Sum>.sum(property, as: type))
    }

    /// The average of a number property; nil when there are no objects.
    public func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number> & Sendable) throws -> Double? {
        try aggregate(Aggregate<Object, Double?>.average(property))
    }

    /// The average of a property's numbers that are not nil; nil when there are none.
    public func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number?> & Sendable) throws -> Double? {
        try aggregate(Aggregate<Object, Double?>.average(property))
    }

    /// The least value of a property; nil when there are no objects.
    ///
    /// - Complexity: of all objects O(log *n*) where an index begins with the property.
    public func minimum<Value: Storable>(_ property: KeyPath<Object, Value> & Sendable) throws -> Value? {
        try aggregate(Aggregate<Object, Value?>.minimum(property))
    }

    /// The least value of a property that is not nil; nil when there is none.
    ///
    /// - Complexity: of all objects O(log *n*) where an index begins with the property.
    public func minimum<Value: Storable>(_ property: KeyPath<Object, Value?> & Sendable) throws -> Value? {
        try aggregate(Aggregate<Object, Value?>.minimum(property))
    }

    /// The greatest value of a property; nil when there are no objects.
    ///
    /// - Complexity: of all objects O(log *n*) where an index begins with the property.
    public func maximum<Value: Storable>(_ property: KeyPath<Object, Value> & Sendable) throws -> Value? {
        try aggregate(Aggregate<Object, Value?>.maximum(property))
    }

    /// The greatest value of a property that is not nil; nil when there is none.
    ///
    /// - Complexity: of all objects O(log *n*) where an index begins with the property.
    public func maximum<Value: Storable>(_ property: KeyPath<Object, Value?> & Sendable) throws -> Value? {
        try aggregate(Aggregate<Object, Value?>.maximum(property))
    }

    /// The different values of a property, ascending, with nil when an object has it.
    ///
    /// - Complexity: of all objects O(*k* log *n*) for *k* values where an index begins with the property.
    public func distinct<Value: Storable>(_ property: KeyPath<Object, Value> & Sendable) throws -> [Value] {
        try grouped(by: property).aggregate().map(\.key)
    }
}

/// The asynchronous twins compute on the store's reader threads.
extension Fetch where Source: AsyncObjectSource {
    /// Several aggregates at once; see ``aggregate(_:)``.
    public func aggregate<each Value>(_ aggregates: repeat Aggregate<Object, each Value>) async throws -> (repeat each Value) {
        try await source._onReader { try self.aggregate(repeat each aggregates) }
    }

    /// One aggregate; see ``aggregate(_:)``.
    public func aggregate<Value>(_ aggregate: Aggregate<Object, Value>) async throws -> Value {
        try await source._onReader { try self.aggregate(aggregate) }
    }

    /// The sum of a property's numbers; see ``sum(_:)``.
    public func sum<Number: Summable>(_ property: KeyPath<Object, Number> & Sendable) async throws -> Number.Sum {
        try await aggregate(Aggregate<Object, Number.Sum>.sum(property))
    }

    /// The sum of a property's numbers that are not nil; see ``sum(_:)``.
    public func sum<Number: Summable>(_ property: KeyPath<Object, Number?> & Sendable) async throws -> Number.Sum {
        try await aggregate(Aggregate<Object, Number.Sum>.sum(property))
    }

    /// The exact sum of a property's integers as a type that is wide enough; see ``sum(_:as:)``.
    public func sum<Number: Summable & FixedWidthInteger, Sum: FixedWidthInteger & Storable>(
        _ property: KeyPath<Object, Number> & Sendable, as type: Sum.Type
    ) async throws -> Sum {
        try await aggregate(Aggregate<Object, Sum>.sum(property, as: type))
    }

    /// The exact sum of a property's integers that are not nil, as a type that is wide enough; see ``sum(_:as:)``.
    public func sum<Number: Summable & FixedWidthInteger, Sum: FixedWidthInteger & Storable>(
        _ property: KeyPath<Object, Number?> & Sendable, as type: Sum.Type
    ) async throws -> Sum {
        try await aggregate(Aggregate<Object, Sum>.sum(property, as: type))
    }

    /// The average of a property's values that are not nil; nil when there are none.
    public func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number> & Sendable) async throws -> Double? {
        try await aggregate(Aggregate<Object, Double?>.average(property))
    }

    /// The average of a property's values that are not nil; nil when there are none.
    public func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number?> & Sendable) async throws -> Double? {
        try await aggregate(Aggregate<Object, Double?>.average(property))
    }

    /// The least value of a property that is not nil; nil when there is none.
    public func minimum<Value: Storable>(_ property: KeyPath<Object, Value> & Sendable) async throws -> Value? {
        try await aggregate(Aggregate<Object, Value?>.minimum(property))
    }

    /// The least value of a property that is not nil; nil when there is none.
    public func minimum<Value: Storable>(_ property: KeyPath<Object, Value?> & Sendable) async throws -> Value? {
        try await aggregate(Aggregate<Object, Value?>.minimum(property))
    }

    /// The greatest value of a property that is not nil; nil when there is none.
    public func maximum<Value: Storable>(_ property: KeyPath<Object, Value> & Sendable) async throws -> Value? {
        try await aggregate(Aggregate<Object, Value?>.maximum(property))
    }

    /// The greatest value of a property that is not nil; nil when there is none.
    public func maximum<Value: Storable>(_ property: KeyPath<Object, Value?> & Sendable) async throws -> Value? {
        try await aggregate(Aggregate<Object, Value?>.maximum(property))
    }

    /// The different values of a property, ascending, with nil when an object has it.
    public func distinct<Value: Storable>(_ property: KeyPath<Object, Value> & Sendable) async throws -> [Value] {
        try await grouped(by: property).aggregate().map(\.key)
    }
}

extension GroupedFetch where Source: AsyncObjectSource {
    /// The plan by which the groups and their aggregates are found; see ``explain(_:running:)``.
    public func explain<each Value>(_ aggregates: repeat Aggregate<Object, each Value>, running: Bool = true) async throws -> Explanation {
        try await fetch.source._onReader { try self.explain(repeat each aggregates, running: running) }
    }

    /// The groups with their aggregates, computed on a reader thread; see ``aggregate(_:having:)``.
    public func aggregate<each Value>(
        _ aggregates: repeat Aggregate<Object, each Value>,
        having condition: @escaping @Sendable (QueryGroup<(repeat each Key), (repeat each Value)>) throws -> Bool = { _ in true }
    ) async throws -> [QueryGroup<(repeat each Key), (repeat each Value)>] {
        try await fetch.source._onReader { try self.aggregate(repeat each aggregates, having: condition) }
    }
}
