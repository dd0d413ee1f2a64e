// Aggregates of an attribute of documents, whose values may be of several kinds. Its path is as DocumentPath reads it: a text, since compilers up to Swift 6.3 take no other literal in a list of aggregates.

extension Aggregate where Object == Document {
    /// The exact sum of the numbers at a path, as the number that it is; 0 of none. nil takes no part.
    ///
    /// Running it throws ``TroveError/incomparable(model:path:reason:)`` when a value there is no number.
    public static func sum(_ path: String) -> Aggregate where Value == StoredValue {
        Aggregate(.sum, at: DocumentPath(path).fieldPath(from: nil)) { $0 }
    }

    /// The exact sum of the numbers at a path as a type of number; 0 of none.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public static func sum(_ path: String, as type: Value.Type) -> Aggregate where Value: Storable & Numeric {
        Aggregate(.sum, at: DocumentPath(path).fieldPath(from: nil)) { try Value(converting: $0.converted(to: Value.fieldType)) }
    }

    /// The average of the numbers at a path; nil of none.
    public static func average(_ path: String) -> Aggregate where Value == Double? {
        Aggregate(.average, at: DocumentPath(path).fieldPath(from: nil), finish: Double?.init(converting:))
    }

    /// The least value at a path that is not nil, in the order of the sort; nil of none.
    public static func minimum(_ path: String) -> Aggregate where Value == StoredValue? {
        Aggregate(.minimum, at: DocumentPath(path).fieldPath(from: nil)) { $0 == .null ? nil : $0 }
    }

    /// The greatest value at a path that is not nil, in the order of the sort; nil of none.
    public static func maximum(_ path: String) -> Aggregate where Value == StoredValue? {
        Aggregate(.maximum, at: DocumentPath(path).fieldPath(from: nil)) { $0 == .null ? nil : $0 }
    }

    /// The number of different values at a path, nil not counted.
    public static func countDistinct(_ path: String) -> Aggregate where Value == Int {
        Aggregate(.countDistinct, at: DocumentPath(path).fieldPath(from: nil), finish: Int.init(converting:))
    }
}

/// Documents of a fetch in groups with the same values at some paths.
public struct GroupedDocuments<Source: ObjectSource> {
    let fetch: Fetch<Document, Source>
    let paths: [FieldPath]

    /// What is computed of each group; the groups ascending by their values, nil first.
    ///
    /// ```swift
    /// try notes.fetch().grouped(by: "author.name").aggregate(.count, .average("rating"))
    /// ```
    ///
    /// - Parameter condition: the groups that are wanted.
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

extension Fetch where Object == Document {
    /// The documents in groups with the same values at some paths.
    public func grouped(by paths: DocumentPath...) -> GroupedDocuments<Source> {
        GroupedDocuments(fetch: self, paths: paths.map { $0.fieldPath(from: nil) })
    }

    /// The different values at a path, ascending, nil first where documents have none.
    public func distinct(_ path: DocumentPath) throws -> [StoredValue] {
        try source.read(of: draft) { try $0.groups(by: [path.fieldPath(from: nil)], [], of: Document.self, draft) }.map { $0.keys[0] }
    }

    /// The values at some paths of each document, in the query's order; `.null` where a path leads nowhere. No document is made.
    public func values(at paths: DocumentPath...) throws -> [[StoredValue]] {
        try source.read(of: draft) { transaction in
            let rows = try FieldSelection(transaction, transaction.open(Document.self, draft), draft, paths.map { $0.fieldPath(from: nil) }).rows()
            return (0..<rows.count).map { Array(rows[$0]) }
        }
    }
}
