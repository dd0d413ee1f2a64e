import Foundation

/// A value computed over many objects: a count, a sum, an average, the least or greatest value.
///
/// ```swift
/// let (count, seconds) = try store.fetch(Song.self).where { $0.year < 1965 }.aggregate(.count, .sum(\.seconds))
/// let (first, city) = try store.fetch(Order.self).aggregate(.sum { $0.lines[0].price }, .maximum { $0.address.city })
/// ```
///
/// What is computed on is a property by its key path, or what a closure names as in conditions, also in nested values; of documents a path.
///
/// nil values take no part, but ``count`` counts objects. Over no values at all a count and a sum are 0, the others nil. Integers are added
/// exactly, whatever the order; so are floating-point numbers, with one rounding at the end.
public struct Aggregate<Object, Value: Sendable>: Sendable {
    let function: AggregateFunction
    /// The path of the values, or the mistake in it; nil of objects.
    let named: Result<FieldPath, TroveError>?
    /// Makes the result of what was computed.
    let finish: @Sendable (StoredValue) throws -> Value

    init(_ function: AggregateFunction, at named: Result<FieldPath, TroveError>?, finish: @escaping @Sendable (StoredValue) throws -> Value) {
        self.function = function
        self.named = named
        self.finish = finish
    }

    /// The path of the values; nil of objects.
    func path() throws -> FieldPath? { try named?.get() }
}

extension Aggregate where Object: Model {
    init(_ function: AggregateFunction, _ property: PartialKeyPath<Object> & Sendable, finish: @escaping @Sendable (StoredValue) throws -> Value) {
        self.init(function, at: Result { () throws(TroveError) in try Object.path(property) }, finish: finish)
    }
}

extension Aggregate where Value == Int {
    /// The number of objects.
    public static var count: Aggregate { Aggregate(.count, at: nil, finish: Int.init(converting:)) }
}

extension Aggregate where Object: Model, Value == Int {
    /// The number of different values, without nil.
    public static func countDistinct(_ property: PartialKeyPath<Object> & Sendable) -> Aggregate {
        Aggregate(.countDistinct, property, finish: Int.init(converting:))
    }
}

extension Aggregate where Object: Model {
    /// The sum of numbers; 0 when there are none. Integers and decimals are added exactly, floating-point numbers are rounded once.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum; what is added on the way may be larger.
    public static func sum<Number: Summable>(_ property: KeyPath<Object, Number> & Sendable) -> Aggregate where Value == Number.Sum {
        Aggregate(.sum, property, finish: Value.init(converting:))
    }

    /// The sum of the numbers that are not nil; 0 when there are none.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum.
    public static func sum<Number: Summable>(_ property: KeyPath<Object, Number?> & Sendable) -> Aggregate where Value == Number.Sum {
        Aggregate(.sum, property, finish: Value.init(converting:))
    }

    /// The exact sum of integers as a type that is wide enough: `.sum(\.bytes, as: Int128.self)`; 0 of none.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public static func sum<Number: Summable & FixedWidthInteger>(
        _ property: KeyPath<Object, Number> & Sendable, as type: Value.Type
    ) -> Aggregate where Value: FixedWidthInteger & Storable {
        Aggregate(.sum, property, finish: Value.init(converting:))
    }

    /// The exact sum of the integers that are not nil, as a type that is wide enough; 0 when there are none.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public static func sum<Number: Summable & FixedWidthInteger>(
        _ property: KeyPath<Object, Number?> & Sendable, as type: Value.Type
    ) -> Aggregate where Value: FixedWidthInteger & Storable {
        Aggregate(.sum, property, finish: Value.init(converting:))
    }
}

extension Aggregate where Object: Model, Value == Double? {
    /// The average of the numbers that are not nil; nil when there are none.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number> & Sendable) -> Aggregate {
        Aggregate(.average, property, finish: Double?.init(converting:))
    }

    /// The average of the numbers that are not nil; nil when there are none.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number?> & Sendable) -> Aggregate {
        Aggregate(.average, property, finish: Double?.init(converting:))
    }
}

extension Aggregate where Object: Model {
    /// The least value that is not nil; nil when there is none.
    public static func minimum<Wrapped: Storable>(_ property: KeyPath<Object, Wrapped> & Sendable) -> Aggregate where Value == Wrapped? {
        Aggregate(.minimum, property, finish: Wrapped?.init(converting:))
    }

    /// The least value that is not nil; nil when there is none.
    public static func minimum<Wrapped: Storable>(_ property: KeyPath<Object, Wrapped?> & Sendable) -> Aggregate where Value == Wrapped? {
        Aggregate(.minimum, property, finish: Wrapped?.init(converting:))
    }

    /// The greatest value that is not nil; nil when there is none. NaN is greater than all numbers.
    public static func maximum<Wrapped: Storable>(_ property: KeyPath<Object, Wrapped> & Sendable) -> Aggregate where Value == Wrapped? {
        Aggregate(.maximum, property, finish: Wrapped?.init(converting:))
    }

    /// The greatest value that is not nil; nil when there is none. NaN is greater than all numbers.
    public static func maximum<Wrapped: Storable>(_ property: KeyPath<Object, Wrapped?> & Sendable) -> Aggregate where Value == Wrapped? {
        Aggregate(.maximum, property, finish: Wrapped?.init(converting:))
    }
}

/// What is computed over the objects of a query or group.
enum AggregateFunction: Sendable, Hashable {
    case count
    case sum, average, minimum, maximum
    case countDistinct

    /// Whether it tells values apart, or which of two is greater.
    var isOfOrder: Bool {
        switch self {
        case .count, .sum, .average: false
        case .minimum, .maximum, .countDistinct: true
        }
    }
}

/// An aggregate with its property by path, as the store computes it.
struct AggregateSpecification: Hashable, Sendable {
    let function: AggregateFunction
    let path: FieldPath?

    init(function: AggregateFunction, path: FieldPath?) {
        self.function = function
        self.path = path
    }

    init<Object, Value>(_ aggregate: Aggregate<Object, Value>) throws {
        function = aggregate.function
        path = try aggregate.path()
    }

    /// The specifications of some aggregates.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)``.
    static func list<Object, each Value>(_ aggregates: repeat Aggregate<Object, each Value>) throws -> [AggregateSpecification] {
        var list: [AggregateSpecification] = []
        for aggregate in repeat each aggregates { list.append(try AggregateSpecification(aggregate)) }
        return list
    }

    /// What was computed as the aggregates' own types.
    ///
    /// - Parameter model: the name of the model, or of the collection.
    static func results<Object, each Value>(_ values: [StoredValue], of model: String, _ aggregates: repeat Aggregate<Object, each Value>) throws -> (repeat each Value) {
        var next = 0
        func finish<Result>(_ aggregate: Aggregate<Object, Result>) throws -> Result {
            defer { next += 1 }
            return try aggregate.result(values[next], of: model)
        }
        return (repeat try finish(each aggregates))
    }
}

extension Aggregate {
    /// The result as the property's type has it.
    ///
    /// - Parameter model: the name of the model, or of the collection.
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/decodingFailed(model:field:id:reason:)``.
    func result(_ value: StoredValue, of model: String) throws -> Value {
        do {
            return try finish(value)
        } catch let fault as DecodingFault {
            guard case .unfit(let reason) = fault else { throw fault }
            let path = try path()?.description ?? "objects"
            // What is computed of stored values has their type; only a sum can grow beyond its own.
            if function == .sum { throw TroveError.sumOverflow(model: model, path: path) }
            throw TroveError.decodingFailed(model: model, field: path, id: "a group", reason: reason)
        }
    }
}
