/// Aggregates over the objects of a query of one model, in one snapshot and one pass.
extension MixedFetch {
    /// Calls `body` with the model, and the query as one of it alone.
    ///
    /// - Parameter what: what is read, for errors.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when there are several models, or the query goes on behind a token.
    func readOneModel<Result>(of what: String = "aggregates", _ body: (ReadTransaction, OpenModel, QueryDraft) throws -> Result) throws -> Result {
        try read { transaction, parts in
            guard parts.count == 1 else {
                throw TroveError.invalidQuery(
                    reason: "\(what) are of one model, and it is of \(parts.map(\.model.binding.schema.name).joined(separator: ", ")); ask for each of them")
            }
            guard draft.start == nil else { throw TroveError.invalidQuery(reason: "\(what) are not paged; leave the token out") }
            return try body(transaction, parts[0].model, MixedRun.draft(draft, of: parts[0].model))
        }
    }
}

extension MixedFetch where Object == StoredRecord {
    /// The aggregates of each group of records that have the same values at some paths; the groups are ascending by these, nil first.
    ///
    /// Without paths all records are one group, also when there are none. A limit of the query is one of the records that are computed on.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/incomparable(model:path:reason:)`` for values that cannot be added or have no order;
    ///   ``TroveError/invalidQuery(reason:)`` when the fetch is of several models.
    public func aggregate(_ aggregates: [RecordAggregate], by paths: [FieldPath] = []) throws -> [QueryGroup<[StoredValue], [StoredValue]>] {
        let specifications = aggregates.map(\.specification)
        return try readOneModel { transaction, model, draft in
            if paths.isEmpty { return [QueryGroup(key: [], values: try transaction.totals(specifications, of: model, draft))] }
            return try transaction.groups(by: paths, specifications, of: model, draft).map { QueryGroup(key: $0.keys, values: $0.aggregates) }
        }
    }

    /// The plan by which the groups and their aggregates are found.
    ///
    /// - Parameter running: whether to find the groups too, so that the steps have the numbers of rows they really met.
    public func explainAggregates(_ aggregates: [RecordAggregate], by paths: [FieldPath] = [], running: Bool = true) throws -> Explanation {
        try readOneModel { transaction, model, draft in
            try transaction.explainGroups(by: paths, aggregates.map(\.specification), of: model, draft, running: running)
        }
    }
}

extension MixedFetch where Object == StoredRecord, Source == ObjectStore {
    /// The aggregates of each group, computed on a reader thread; see ``aggregate(_:by:)``.
    public func aggregate(_ aggregates: [RecordAggregate], by paths: [FieldPath] = []) async throws -> [QueryGroup<[StoredValue], [StoredValue]>] {
        try await source.readPool.run { try self.aggregate(aggregates, by: paths) }
    }

    /// The plan by which the groups and their aggregates are found; see ``explainAggregates(_:by:running:)``.
    public func explainAggregates(_ aggregates: [RecordAggregate], by paths: [FieldPath] = [], running: Bool = true) async throws -> Explanation {
        try await source.readPool.run { try self.explainAggregates(aggregates, by: paths, running: running) }
    }
}
