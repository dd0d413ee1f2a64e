// Aggregates of an attribute of documents, or of a property of objects as documents, whose values may be of several kinds. Its path is as DocumentPath reads
// it: a text, since compilers up to Swift 6.3 take no other literal in a list of aggregates. For models too, these would take from a misspelt key path the
// message that names it; there a closure says `at(_:as:)`.

extension Aggregate where Object: EditableByPath {
    fileprivate init(_ function: AggregateFunction, written path: String, finish: @escaping @Sendable (StoredValue) throws -> Value) {
        self.init(function, at: .success(Object.fieldPath(at: DocumentPath(path))), finish: finish)
    }
}

extension Aggregate where Object == Document {
    /// The exact sum of the numbers at a path, in its own number type; 0 when there are none. nil takes no part.
    ///
    /// Running it throws ``TroveError/incomparable(model:path:reason:)`` when a value there is no number.
    public static func sum(_ path: String) -> Aggregate where Value == StoredValue { Aggregate(.sum, written: path) { $0 } }

    /// The exact sum of the numbers at a path, as the given type; 0 when there are none.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public static func sum(_ path: String, as type: Value.Type) -> Aggregate where Value: Storable & Numeric {
        Aggregate(.sum, written: path) { try Value(converting: $0.converted(to: Value.fieldType)) }
    }

    /// The average of the numbers at a path; nil when there are none.
    public static func average(_ path: String) -> Aggregate where Value == Double? { Aggregate(.average, written: path, finish: Double?.init(converting:)) }

    /// The least value at a path that is not nil, in sort order; nil when there is none.
    public static func minimum(_ path: String) -> Aggregate where Value == StoredValue? { Aggregate(.minimum, written: path) { $0 == .null ? nil : $0 } }

    /// The greatest value at a path that is not nil, in sort order; nil when there is none.
    public static func maximum(_ path: String) -> Aggregate where Value == StoredValue? { Aggregate(.maximum, written: path) { $0 == .null ? nil : $0 } }

    /// The number of different values at a path, without nil.
    public static func countDistinct(_ path: String) -> Aggregate where Value == Int { Aggregate(.countDistinct, written: path, finish: Int.init(converting:)) }
}

// The same of objects of models as documents. One extension for both would take the message that names it from a misspelt key path too.

extension Aggregate where Object == ModelDocument {
    /// The exact sum of the numbers at a path, in its own number type; 0 when there are none. nil takes no part.
    ///
    /// Running it throws ``TroveError/incomparable(model:path:reason:)`` when a value there is no number.
    public static func sum(_ path: String) -> Aggregate where Value == StoredValue { Aggregate(.sum, written: path) { $0 } }

    /// The exact sum of the numbers at a path, as the given type; 0 when there are none.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public static func sum(_ path: String, as type: Value.Type) -> Aggregate where Value: Storable & Numeric {
        Aggregate(.sum, written: path) { try Value(converting: $0.converted(to: Value.fieldType)) }
    }

    /// The average of the numbers at a path; nil when there are none.
    public static func average(_ path: String) -> Aggregate where Value == Double? { Aggregate(.average, written: path, finish: Double?.init(converting:)) }

    /// The least value at a path that is not nil, in sort order; nil when there is none.
    public static func minimum(_ path: String) -> Aggregate where Value == StoredValue? { Aggregate(.minimum, written: path) { $0 == .null ? nil : $0 } }

    /// The greatest value at a path that is not nil, in sort order; nil when there is none.
    public static func maximum(_ path: String) -> Aggregate where Value == StoredValue? { Aggregate(.maximum, written: path) { $0 == .null ? nil : $0 } }

    /// The number of different values at a path, without nil.
    public static func countDistinct(_ path: String) -> Aggregate where Value == Int { Aggregate(.countDistinct, written: path, finish: Int.init(converting:)) }
}

/// Aggregates over the objects of a model by its name, in one snapshot and one pass.
extension MixedFetch where Object == ModelDocument {
    /// Several aggregates at once.
    ///
    /// ```swift
    /// let (count, rating, last) = try songs.fetch("year > 1950").aggregate(.count, .average("rating"), .maximum("released"))
    /// ```
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/incomparable(model:path:reason:)`` for values that cannot be added or have no order.
    public func aggregate<each Value>(_ aggregates: repeat Aggregate<ModelDocument, each Value>) throws -> (repeat each Value) {
        let specifications = try AggregateSpecification.list(repeat each aggregates)
        let (values, name) = try readOneModel { transaction, model, draft in
            (try transaction.totals(specifications, of: model, draft), model.binding.schema.name)
        }
        return try AggregateSpecification.results(values, of: name, repeat each aggregates)
    }

    /// One aggregate.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/incomparable(model:path:reason:)`` for values that cannot be added or have no order.
    public func aggregate<Value>(_ aggregate: Aggregate<ModelDocument, Value>) throws -> Value {
        let specification = try AggregateSpecification(aggregate)
        let (values, name) = try readOneModel { transaction, model, draft in
            (try transaction.totals([specification], of: model, draft), model.binding.schema.name)
        }
        return try aggregate.result(values[0], of: name)
    }

    /// The different values at a path, ascending, with nil first when an object has none.
    ///
    /// - Complexity: of all objects O(*k* log *n*) for *k* values where an index begins with the property.
    public func distinct(_ path: DocumentPath) throws -> [StoredValue] {
        try readOneModel { transaction, model, draft in try transaction.groups(by: [Object.fieldPath(at: path)], [], of: model, draft) }.map { $0.keys[0] }
    }
}

/// The same, computed on the store's reader threads.
extension MixedFetch where Object == ModelDocument, Source == ObjectStore {
    /// Several aggregates at once; see ``aggregate(_:)``.
    public func aggregate<each Value>(_ aggregates: repeat Aggregate<ModelDocument, each Value>) async throws -> (repeat each Value) {
        let (models, draft) = (models, draft)
        return try await source.read { try MixedFetch<ModelDocument, ReadTransaction>($0, models, draft).aggregate(repeat each aggregates) }
    }

    /// One aggregate; see ``aggregate(_:)``.
    public func aggregate<Value>(_ aggregate: Aggregate<ModelDocument, Value>) async throws -> Value {
        let (models, draft) = (models, draft)
        return try await source.read { try MixedFetch<ModelDocument, ReadTransaction>($0, models, draft).aggregate(aggregate) }
    }

    /// The different values at a path, ascending, with nil first when an object has none.
    public func distinct(_ path: DocumentPath) async throws -> [StoredValue] {
        let (models, draft) = (models, draft)
        return try await source.read { try MixedFetch<ModelDocument, ReadTransaction>($0, models, draft).distinct(path) }
    }
}
