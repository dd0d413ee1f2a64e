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
        let (values, name) = try readOneModel { transaction, model, draft in (try transaction.totals(specifications, of: model, draft), model.binding.schema.name) }
        return try AggregateSpecification.results(values, of: name, repeat each aggregates)
    }

    /// One aggregate.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/incomparable(model:path:reason:)`` for values that cannot be added or have no order.
    public func aggregate<Value>(_ aggregate: Aggregate<ModelDocument, Value>) throws -> Value {
        let specification = try AggregateSpecification(aggregate)
        let (values, name) = try readOneModel { transaction, model, draft in (try transaction.totals([specification], of: model, draft), model.binding.schema.name) }
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
    /// Several aggregates at once; see ``aggregate(_:)-swift.method``.
    public func aggregate<each Value>(_ aggregates: repeat Aggregate<ModelDocument, each Value>) async throws -> (repeat each Value) {
        let (models, draft) = (models, draft)
        return try await source.read { try MixedFetch<ModelDocument, ReadTransaction>($0, models, draft).aggregate(repeat each aggregates) }
    }

    /// One aggregate; see ``aggregate(_:)-swift.method``.
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
