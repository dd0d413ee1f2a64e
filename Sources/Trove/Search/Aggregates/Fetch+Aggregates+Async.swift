import Foundation

/// The asynchronous twins compute on the store's reader threads.
extension Fetch where Source == ObjectStore {
    /// Several aggregates at once; see ``aggregate(_:)-swift.method``.
    public func aggregate<each Value>(_ aggregates: repeat Aggregate<Object, each Value>) async throws -> (repeat each Value) {
        let fetch = self
        return try await source.read { try $0.fetch(as: fetch).aggregate(repeat each aggregates) }
    }

    /// One aggregate; see ``aggregate(_:)-swift.method``.
    public func aggregate<Value>(_ aggregate: Aggregate<Object, Value>) async throws -> Value {
        let fetch = self
        return try await source.read { try $0.fetch(as: fetch).aggregate(aggregate) }
    }

    /// The sum of a property's values that are not nil; 0 of none.
    public func sum<Number: FixedWidthInteger & Storable>(_ property: KeyPath<Object, Number> & Sendable) async throws -> Int {
        try await aggregate(Aggregate<Object, Int>.sum(property))
    }

    /// The sum of a property's values that are not nil; 0 of none.
    public func sum<Number: FixedWidthInteger & Storable>(_ property: KeyPath<Object, Number?> & Sendable) async throws -> Int {
        try await aggregate(Aggregate<Object, Int>.sum(property))
    }

    /// The sum of a property's values that are not nil; 0 of none.
    public func sum<Number: BinaryFloatingPoint & Storable>(_ property: KeyPath<Object, Number> & Sendable) async throws -> Double {
        try await aggregate(Aggregate<Object, Double>.sum(property))
    }

    /// The sum of a property's values that are not nil; 0 of none.
    public func sum<Number: BinaryFloatingPoint & Storable>(_ property: KeyPath<Object, Number?> & Sendable) async throws -> Double {
        try await aggregate(Aggregate<Object, Double>.sum(property))
    }

    /// The sum of a property's values that are not nil; 0 of none.
    public func sum(_ property: KeyPath<Object, Decimal> & Sendable) async throws -> Decimal {
        try await aggregate(Aggregate<Object, Decimal>.sum(property))
    }

    /// The sum of a property's values that are not nil; 0 of none.
    public func sum(_ property: KeyPath<Object, Decimal?> & Sendable) async throws -> Decimal {
        try await aggregate(Aggregate<Object, Decimal>.sum(property))
    }

    /// The average of a property's values that are not nil; nil of none.
    public func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number> & Sendable) async throws -> Double? {
        try await aggregate(Aggregate<Object, Double?>.average(property))
    }

    /// The average of a property's values that are not nil; nil of none.
    public func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number?> & Sendable) async throws -> Double? {
        try await aggregate(Aggregate<Object, Double?>.average(property))
    }

    /// The least value of a property that is not nil; nil of none.
    public func minimum<Value: Storable>(_ property: KeyPath<Object, Value> & Sendable) async throws -> Value? {
        try await aggregate(Aggregate<Object, Value?>.minimum(property))
    }

    /// The least value of a property that is not nil; nil of none.
    public func minimum<Value: Storable>(_ property: KeyPath<Object, Value?> & Sendable) async throws -> Value? {
        try await aggregate(Aggregate<Object, Value?>.minimum(property))
    }

    /// The greatest value of a property that is not nil; nil of none.
    public func maximum<Value: Storable>(_ property: KeyPath<Object, Value> & Sendable) async throws -> Value? {
        try await aggregate(Aggregate<Object, Value?>.maximum(property))
    }

    /// The greatest value of a property that is not nil; nil of none.
    public func maximum<Value: Storable>(_ property: KeyPath<Object, Value?> & Sendable) async throws -> Value? {
        try await aggregate(Aggregate<Object, Value?>.maximum(property))
    }

    /// The different values of a property, ascending; nil is one of them when an object has it.
    public func distinct<Value: Storable>(_ property: KeyPath<Object, Value> & Sendable) async throws -> [Value] {
        try await grouped(by: property).aggregate().map(\.key)
    }
}

extension GroupedFetch where Source == ObjectStore {
    /// How the groups and their aggregates are found; see ``explain(_:running:)-swift.method``.
    public func explain<each Value>(_ aggregates: repeat Aggregate<Object, each Value>, running: Bool = true) async throws -> Explanation {
        let (fetch, properties) = (fetch, properties)
        return try await fetch.source.read { transaction in
            try GroupedFetch<Object, ReadTransaction, repeat each Key>(fetch: transaction.fetch(as: fetch), properties: properties)
                .explain(repeat each aggregates, running: running)
        }
    }

    /// The groups with their aggregates, computed on a reader thread; see ``aggregate(_:having:)-swift.method``.
    public func aggregate<each Value>(
        _ aggregates: repeat Aggregate<Object, each Value>,
        having condition: @escaping @Sendable (Group<(repeat each Key), (repeat each Value)>) throws -> Bool = { _ in true }
    ) async throws -> [Group<(repeat each Key), (repeat each Value)>] {
        let (fetch, properties) = (fetch, properties)
        return try await fetch.source.read { transaction in
            try GroupedFetch<Object, ReadTransaction, repeat each Key>(fetch: transaction.fetch(as: fetch), properties: properties)
                .aggregate(repeat each aggregates, having: condition)
        }
    }
}
