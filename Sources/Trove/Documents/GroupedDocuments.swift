/// The documents of a query, grouped by their values at some paths, of any kinds: those of a collection, or objects of a model as documents.
///
/// ```swift
/// try notes.fetch().grouped(by: "author.name").aggregate(.count, .average("rating"))
/// try store.documents(of: "Song").fetch("year > 1950").grouped(by: "artist").aggregate(.count, .average("rating"))
/// ```
public struct GroupedDocuments<Object: EditableByPath & Sendable, Source: ObjectSource> {
    let source: Source
    let draft: QueryDraft
    /// The model or collection, and the query as one of it.
    let open: @Sendable (ReadTransaction, QueryDraft) throws -> (OpenModel, QueryDraft)
    let paths: [FieldPath]

    /// The aggregates of each group; the groups are ascending by their values, nil first. What is not there is nil. Without paths all
    /// documents are one group, where there are any.
    ///
    /// - Parameter condition: the groups that are wanted.
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/incomparable(model:path:reason:)``.
    public func aggregate<each Value>(
        _ aggregates: repeat Aggregate<Object, each Value>, having condition: (QueryGroup<[StoredValue], (repeat each Value)>) throws -> Bool = { _ in true }
    ) throws -> [QueryGroup<[StoredValue], (repeat each Value)>] {
        let specifications = try AggregateSpecification.list(repeat each aggregates)
        let (groups, name) = try read { transaction, model, draft in
            (try transaction.groups(by: paths, specifications, of: model, draft), model.binding.schema.name)
        }
        var result: [QueryGroup<[StoredValue], (repeat each Value)>] = []
        for group in groups {
            let typed = QueryGroup(key: group.keys, values: try AggregateSpecification.results(group.aggregates, of: name, repeat each aggregates))
            if try condition(typed) { result.append(typed) }
        }
        return result
    }

    /// The plan by which the groups and their aggregates are found.
    ///
    /// - Parameter running: whether to find the groups too, so that the steps have the numbers of rows they really met.
    public func explain<each Value>(_ aggregates: repeat Aggregate<Object, each Value>, running: Bool = true) throws -> Explanation {
        try explained(try AggregateSpecification.list(repeat each aggregates), running: running)
    }

    fileprivate func explained(_ specifications: [AggregateSpecification], running: Bool) throws -> Explanation {
        try read { transaction, model, draft in try transaction.explainGroups(by: paths, specifications, of: model, draft, running: running) }
    }

    private func read<Result>(_ body: (ReadTransaction, OpenModel, QueryDraft) throws -> Result) throws -> Result {
        func run(_ transaction: ReadTransaction) throws -> Result {
            let (model, draft) = try open(transaction, draft)
            return try body(transaction, model, draft)
        }
        // A model by its name alone is one that a source cannot tell whether it concerns it.
        return try draft.query.model.isEmpty ? source.read(run) : source.read(of: draft, run)
    }
}

extension GroupedDocuments: Sendable where Source: Sendable {}

extension GroupedDocuments where Source == ObjectStore {
    /// The plan by which the groups and their aggregates are found; see ``explain(_:running:)``.
    public func explain<each Value>(_ aggregates: repeat Aggregate<Object, each Value>, running: Bool = true) async throws -> Explanation {
        let specifications = try AggregateSpecification.list(repeat each aggregates)
        return try await source.readPool.run { try self.explained(specifications, running: running) }
    }

    /// The aggregates of each group, computed on a reader thread; see ``aggregate(_:having:)``.
    public func aggregate<each Value>(
        _ aggregates: repeat Aggregate<Object, each Value>,
        having condition: @escaping @Sendable (QueryGroup<[StoredValue], (repeat each Value)>) throws -> Bool = { _ in true }
    ) async throws -> [QueryGroup<[StoredValue], (repeat each Value)>] {
        let (draft, open, paths) = (draft, open, paths)
        return try await source.read { transaction in
            try GroupedDocuments<Object, ReadTransaction>(source: transaction, draft: draft, open: open, paths: paths).aggregate(
                repeat each aggregates, having: condition)
        }
    }
}

extension Fetch where Object == Document {
    /// The documents grouped by their values at some paths.
    public func grouped(by paths: DocumentPath...) -> GroupedDocuments<Document, Source> {
        GroupedDocuments(
            source: source, draft: draft, open: { (try $0.openCollection(named: $1.query.model), $1) }, paths: paths.map { Object.fieldPath(at: $0) })
    }
}

extension MixedFetch where Object == ModelDocument {
    /// The objects grouped by their values at some paths.
    public func grouped(by paths: DocumentPath...) -> GroupedDocuments<ModelDocument, Source> {
        let models = models
        return GroupedDocuments(
            source: source, draft: draft,
            open: { transaction, draft in
                let fetch = MixedFetch<ModelDocument, ReadTransaction>(transaction, models, draft)
                return try fetch.readOneModel { ($1, $2) }
            }, paths: paths.map { Object.fieldPath(at: $0) })
    }
}
