/// The documents of a query, grouped by their values at some paths, of any kinds.
///
/// ```swift
/// try notes.fetch().grouped(by: "author.name").aggregate(.count, .average("rating"))
/// ```
public struct GroupedDocuments<Source: ObjectSource> {
    let fetch: Fetch<Document, Source>
    let paths: [FieldPath]

    /// The aggregates of each group; the groups are ascending by their values, nil first. What is not there is nil.
    ///
    /// - Parameter condition: the groups that are wanted.
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/incomparable(model:path:reason:)``.
    public func aggregate<each Value>(
        _ aggregates: repeat Aggregate<Document, each Value>, having condition: (QueryGroup<[StoredValue], (repeat each Value)>) throws -> Bool = { _ in true }
    ) throws -> [QueryGroup<[StoredValue], (repeat each Value)>] {
        let specifications = try AggregateSpecification.list(repeat each aggregates)
        let groups = try fetch.source.read(of: fetch.draft) { try $0.groups(by: paths, specifications, of: Document.self, fetch.draft) }
        var result: [QueryGroup<[StoredValue], (repeat each Value)>] = []
        for group in groups {
            let typed = QueryGroup(key: group.keys, values: try values(of: group, repeat each aggregates))
            if try condition(typed) { result.append(typed) }
        }
        return result
    }

    /// The plan by which the groups and their aggregates are found.
    ///
    /// - Parameter running: whether to find the groups too, so that the steps have the numbers of rows they really met.
    public func explain<each Value>(_ aggregates: repeat Aggregate<Document, each Value>, running: Bool = true) throws -> Explanation {
        let specifications = try AggregateSpecification.list(repeat each aggregates)
        return try fetch.source.read(of: fetch.draft) {
            try $0.explainGroups(by: paths, specifications, of: Document.self, fetch.draft, running: running)
        }
    }

    private func values<each Value>(
        of group: GroupedValues, _ aggregates: repeat Aggregate<Document, each Value>
    ) throws -> (repeat each Value) {
        var next = 0
        func finish<Result>(_ aggregate: Aggregate<Document, Result>) throws -> Result {
            defer { next += 1 }
            return try aggregate.result(group.aggregates[next], of: fetch.draft.query.model)
        }
        return (repeat try finish(each aggregates))
    }
}

extension GroupedDocuments: Sendable where Source: Sendable {}

extension GroupedDocuments where Source == ObjectStore {
    /// The aggregates of each group, computed on a reader thread; see ``aggregate(_:having:)-swift.method``.
    public func aggregate<each Value>(
        _ aggregates: repeat Aggregate<Document, each Value>,
        having condition: @escaping @Sendable (QueryGroup<[StoredValue], (repeat each Value)>) throws -> Bool = { _ in true }
    ) async throws -> [QueryGroup<[StoredValue], (repeat each Value)>] {
        let (fetch, paths) = (fetch, paths)
        return try await fetch.source.read { transaction in
            try GroupedDocuments<ReadTransaction>(fetch: transaction.fetch(as: fetch), paths: paths).aggregate(repeat each aggregates, having: condition)
        }
    }
}

extension Fetch where Object == Document {
    /// The documents grouped by their values at some paths.
    public func grouped(by paths: DocumentPath...) -> GroupedDocuments<Source> {
        GroupedDocuments(fetch: self, paths: paths.map { Object.path(at: $0) })
    }
}
