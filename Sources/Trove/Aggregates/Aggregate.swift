import Foundation

/// A value computed over many objects: a count, a sum, an average, the least or greatest value.
///
/// ```swift
/// let (count, seconds) = try store.fetch(Song.self).where { $0.year < 1965 }.aggregate(.count, .sum(\.seconds))
/// let (first, city) = try store.fetch(Order.self).aggregate(.sum { $0.lines[0].price }, .maximum { $0.address.city })
/// ```
///
/// What is computed on is a property by its key path, or what a closure names as in conditions, also in nested values and in other objects, behind
/// references; of documents a path.
///
/// nil values take no part, but ``count`` counts objects. Over no values at all a count and a sum are 0, the others nil. Integers and decimals are added
/// exactly, whatever the order; so are floating-point numbers, with one rounding at the end. An average of integers or decimals
/// is the `Double` nearest to the exact one.
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
    static func results<Object, each Value>(
        _ values: [StoredValue], of model: String, _ aggregates: repeat Aggregate<Object, each Value>
    ) throws -> (repeat each Value) {
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

/// A value computed over records of a model by its name: a count, a sum, an average, the least or greatest value, as ``Aggregate`` is of objects.
///
/// ```swift
/// let songs = store.fetchRecords(of: ["Song"]).matching("year > 1950")
/// for group in try songs.aggregate([.count, .average(FieldPath("rating"))], by: [FieldPath("artist")]) { print(group.key[0], group.values[1]) }
/// ```
///
/// It names its value by a path and gives a ``StoredValue``, so that a list of them can be made while the program runs.
public struct RecordAggregate: Sendable, Hashable {
    let specification: AggregateSpecification

    private init(_ function: AggregateFunction, _ path: FieldPath?) { specification = AggregateSpecification(function: function, path: path) }

    /// The number of records.
    public static let count = RecordAggregate(.count, nil)

    /// The exact sum of the numbers at a path, in their own number type; 0 when there are none.
    public static func sum(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.sum, path) }

    /// The average of the numbers at a path, a double; nil when there are none.
    public static func average(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.average, path) }

    /// The least value at a path that is not nil, in sort order; nil when there is none.
    public static func minimum(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.minimum, path) }

    /// The greatest value at a path that is not nil, in sort order; nil when there is none.
    public static func maximum(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.maximum, path) }

    /// The number of different values at a path, without nil.
    public static func countDistinct(_ path: FieldPath) -> RecordAggregate { RecordAggregate(.countDistinct, path) }
}
