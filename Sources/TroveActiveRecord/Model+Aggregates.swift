import Foundation
import Trove

/// Aggregates over all objects of the type; those over some are asked of ``Trove/Model/where(_:)``.
extension Model {
    /// The number of objects.
    public static func count() throws -> Int { try ActiveRecord.context.fetch(Self.self).count() }

    /// The exact sum of an integer property; 0 of none.
    ///
    /// - Throws: ``Trove/TroveError/sumOverflow(model:path:)``.
    public static func sum<Number: FixedWidthInteger & Storable>(_ property: KeyPath<Self, Number> & Sendable) throws -> Int {
        try ActiveRecord.context.fetch(Self.self).sum(property)
    }

    /// The sum of a floating-point property, rounded once; 0 of none.
    public static func sum<Number: BinaryFloatingPoint & Storable>(_ property: KeyPath<Self, Number> & Sendable) throws -> Double {
        try ActiveRecord.context.fetch(Self.self).sum(property)
    }

    /// The exact sum of a decimal property; 0 of none.
    ///
    /// - Throws: ``Trove/TroveError/sumOverflow(model:path:)``.
    public static func sum(_ property: KeyPath<Self, Decimal> & Sendable) throws -> Decimal {
        try ActiveRecord.context.fetch(Self.self).sum(property)
    }

    /// The average of a number property; nil of none.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Self, Number> & Sendable) throws -> Double? {
        try ActiveRecord.context.fetch(Self.self).average(property)
    }

    /// The average of a number property's values that are not nil; nil of none.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Self, Number?> & Sendable) throws -> Double? {
        try ActiveRecord.context.fetch(Self.self).average(property)
    }

    /// The least value of a property; nil of none.
    public static func minimum<Value: Storable>(_ property: KeyPath<Self, Value> & Sendable) throws -> Value? {
        try ActiveRecord.context.fetch(Self.self).minimum(property)
    }

    /// The least value of a property that is not nil; nil of none.
    public static func minimum<Value: Storable>(_ property: KeyPath<Self, Value?> & Sendable) throws -> Value? {
        try ActiveRecord.context.fetch(Self.self).minimum(property)
    }

    /// The greatest value of a property; nil of none.
    public static func maximum<Value: Storable>(_ property: KeyPath<Self, Value> & Sendable) throws -> Value? {
        try ActiveRecord.context.fetch(Self.self).maximum(property)
    }

    /// The greatest value of a property that is not nil; nil of none.
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
