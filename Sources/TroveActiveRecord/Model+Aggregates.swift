import Trove

/// Aggregates over all objects of the type; those over some are asked of `Song.where { … }`.
extension Model {
    /// The number of objects.
    public static func count() throws -> Int { try ActiveRecord.context.fetch(Self.self).count() }

    /// The sum of a number property, of the type that ``Summable`` names; 0 when there are no objects.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum.
    public static func sum<Number: Summable>(_ property: KeyPath<Self, Number> & Sendable) throws -> Number.Sum {
        try ActiveRecord.context.fetch(Self.self).sum(property)
    }

    /// The sum of a property's numbers that are not nil; 0 when there are none.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum.
    public static func sum<Number: Summable>(_ property: KeyPath<Self, Number?> & Sendable) throws -> Number.Sum {
        try ActiveRecord.context.fetch(Self.self).sum(property)
    }

    /// The exact sum of an integer property as a type that is wide enough: `sum(\.bytes, as: Int128.self)`; 0 of none.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public static func sum<Number: Summable & FixedWidthInteger, Sum: FixedWidthInteger & Storable>(
        _ property: KeyPath<Self, Number> & Sendable, as type: Sum.Type
    ) throws -> Sum {
        try ActiveRecord.context.fetch(Self.self).sum(property, as: type)
    }

    /// The exact sum of a property's integers that are not nil, as a type that is wide enough; 0 when there are none.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public static func sum<Number: Summable & FixedWidthInteger, Sum: FixedWidthInteger & Storable>(
        _ property: KeyPath<Self, Number?> & Sendable, as type: Sum.Type
    ) throws -> Sum {
        try ActiveRecord.context.fetch(Self.self).sum(property, as: type)
    }

    /// The average of a number property; nil when there are no objects.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Self, Number> & Sendable) throws -> Double? {
        try ActiveRecord.context.fetch(Self.self).average(property)
    }

    /// The average of a property's numbers that are not nil; nil when there are none.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Self, Number?> & Sendable) throws -> Double? {
        try ActiveRecord.context.fetch(Self.self).average(property)
    }

    /// The least value of a property; nil when there are no objects.
    public static func minimum<Value: Storable>(_ property: KeyPath<Self, Value> & Sendable) throws -> Value? {
        try ActiveRecord.context.fetch(Self.self).minimum(property)
    }

    /// The least value of a property that is not nil; nil when there is none.
    public static func minimum<Value: Storable>(_ property: KeyPath<Self, Value?> & Sendable) throws -> Value? {
        try ActiveRecord.context.fetch(Self.self).minimum(property)
    }

    /// The greatest value of a property; nil when there are no objects.
    public static func maximum<Value: Storable>(_ property: KeyPath<Self, Value> & Sendable) throws -> Value? {
        try ActiveRecord.context.fetch(Self.self).maximum(property)
    }

    /// The greatest value of a property that is not nil; nil when there is none.
    public static func maximum<Value: Storable>(_ property: KeyPath<Self, Value?> & Sendable) throws -> Value? {
        try ActiveRecord.context.fetch(Self.self).maximum(property)
    }

    /// The different values of a property, ascending.
    public static func distinct<Value: Storable>(_ property: KeyPath<Self, Value> & Sendable) throws -> [Value] {
        try ActiveRecord.context.fetch(Self.self).distinct(property)
    }

    /// Several aggregates at once, in one pass.
    ///
    /// ```swift
    /// let (count, newest) = try Song.aggregate(.count, .maximum(\.year))
    /// ```
    public static func aggregate<each Value>(_ aggregates: repeat Aggregate<Self, each Value>) throws -> (repeat each Value) {
        try ActiveRecord.context.fetch(Self.self).aggregate(repeat each aggregates)
    }
}

/// The asynchronous twins compute on the store's reader threads.
extension Model {
    /// The number of objects.
    public static func count() async throws -> Int { try await ActiveRecord.context.fetch(Self.self).count() }

    /// The sum of a number property, of the type that ``Summable`` names; 0 when there are no objects.
    public static func sum<Number: Summable>(_ property: KeyPath<Self, Number> & Sendable) async throws -> Number.Sum {
        try await ActiveRecord.context.fetch(Self.self).sum(property)
    }

    /// The sum of a property's numbers that are not nil; 0 when there are none.
    public static func sum<Number: Summable>(_ property: KeyPath<Self, Number?> & Sendable) async throws -> Number.Sum {
        try await ActiveRecord.context.fetch(Self.self).sum(property)
    }

    /// The exact sum of an integer property as a type that is wide enough: `sum(\.bytes, as: Int128.self)`; 0 of none.
    public static func sum<Number: Summable & FixedWidthInteger, Sum: FixedWidthInteger & Storable>(
        _ property: KeyPath<Self, Number> & Sendable, as type: Sum.Type
    ) async throws -> Sum {
        try await ActiveRecord.context.fetch(Self.self).sum(property, as: type)
    }

    /// The exact sum of a property's integers that are not nil, as a type that is wide enough; 0 when there are none.
    public static func sum<Number: Summable & FixedWidthInteger, Sum: FixedWidthInteger & Storable>(
        _ property: KeyPath<Self, Number?> & Sendable, as type: Sum.Type
    ) async throws -> Sum {
        try await ActiveRecord.context.fetch(Self.self).sum(property, as: type)
    }

    /// The average of a number property; nil when there are no objects.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Self, Number> & Sendable) async throws -> Double? {
        try await ActiveRecord.context.fetch(Self.self).average(property)
    }

    /// The average of a property's numbers that are not nil; nil when there are none.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Self, Number?> & Sendable) async throws -> Double? {
        try await ActiveRecord.context.fetch(Self.self).average(property)
    }

    /// The least value of a property; nil when there are no objects.
    public static func minimum<Value: Storable>(_ property: KeyPath<Self, Value> & Sendable) async throws -> Value? {
        try await ActiveRecord.context.fetch(Self.self).minimum(property)
    }

    /// The least value of a property that is not nil; nil when there is none.
    public static func minimum<Value: Storable>(_ property: KeyPath<Self, Value?> & Sendable) async throws -> Value? {
        try await ActiveRecord.context.fetch(Self.self).minimum(property)
    }

    /// The greatest value of a property; nil when there are no objects.
    public static func maximum<Value: Storable>(_ property: KeyPath<Self, Value> & Sendable) async throws -> Value? {
        try await ActiveRecord.context.fetch(Self.self).maximum(property)
    }

    /// The greatest value of a property that is not nil; nil when there is none.
    public static func maximum<Value: Storable>(_ property: KeyPath<Self, Value?> & Sendable) async throws -> Value? {
        try await ActiveRecord.context.fetch(Self.self).maximum(property)
    }

    /// The different values of a property, ascending.
    public static func distinct<Value: Storable>(_ property: KeyPath<Self, Value> & Sendable) async throws -> [Value] {
        try await ActiveRecord.context.fetch(Self.self).distinct(property)
    }

    /// Several aggregates at once, in one pass.
    public static func aggregate<each Value>(_ aggregates: repeat Aggregate<Self, each Value>) async throws -> (repeat each Value) {
        try await ActiveRecord.context.fetch(Self.self).aggregate(repeat each aggregates)
    }
}
