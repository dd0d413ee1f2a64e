/// Some properties of a query's objects, read as tuples; see ``Fetch/select(_:)``.
public struct Selection<Object: Model, Source: ObjectSource, each Value: Storable> {
    let source: Source
    let draft: QueryDraft
    let paths: [FieldPath]

    /// The values in the query's order, read in one snapshot.
    public func all() throws -> [(repeat each Value)] {
        let rows = try rows()
        var tuples: [(repeat each Value)] = []
        tuples.reserveCapacity(rows.count)
        // Compilers up to Swift 6.3 crash on a tuple of a pack that is made in a closure or handed to one, so each is made here.
        var position = 0
        for _ in 0..<rows.count { tuples.append((repeat try Self.next((each Value).self, rows, draft.query.model, paths, &position))) }
        return tuples
    }

    /// The values of the first object; nil when there is none.
    public func first() throws -> (repeat each Value)? {
        try Selection<Object, Source, repeat each Value>(source: source, draft: draft.limited(to: 1), paths: paths).all().first
    }

    /// The plan by which the values are found: where an index has them, without a step that reads records.
    ///
    /// - Parameter running: whether to find them too, so that the steps have the numbers of rows they really met.
    public func explain(running: Bool = true) throws -> Explanation {
        try source.read(of: draft) { transaction in
            try FieldSelection(transaction, transaction.open(Object.self, draft), draft, paths).explain(running: running)
        }
    }

    private func rows() throws -> SelectedRows {
        try source.read(of: draft) { transaction in
            try FieldSelection(transaction, transaction.open(Object.self, draft), draft, paths).rows()
        }
    }

    /// The value at a position among those of all rows.
    private static func next<Next: Storable>(
        _ type: Next.Type, _ rows: SelectedRows, _ model: String, _ paths: [FieldPath], _ position: inout Int
    ) throws -> Next {
        defer { position += 1 }
        let (row, column) = position.quotientAndRemainder(dividingBy: rows.width)
        return try Next(selected: rows.values[position], paths[column], of: model, rows.keys[row])
    }
}

extension Selection: Sendable where Source: Sendable {}

extension Selection where Source == ObjectStore {
    /// The values of the first object; nil when there is none.
    public func first() async throws -> (repeat each Value)? {
        try await Selection<Object, Source, repeat each Value>(source: source, draft: draft.limited(to: 1), paths: paths).all().first
    }

    /// The plan by which the values are found; see ``explain(running:)-swift.method``.
    public func explain(running: Bool = true) async throws -> Explanation {
        let (draft, paths) = (draft, paths)
        return try await source.read { transaction in
            try Selection<Object, ReadTransaction, repeat each Value>(source: transaction, draft: draft, paths: paths).explain(running: running)
        }
    }

    /// The values, in the query's order.
    public func all() async throws -> [(repeat each Value)] {
        let (draft, paths) = (draft, paths)
        return try await source.read { transaction in
            try Selection<Object, ReadTransaction, repeat each Value>(source: transaction, draft: draft, paths: paths).all()
        }
    }
}

extension Fetch {
    /// Some properties of the objects, without the others.
    ///
    /// ```swift
    /// for (title, year) in try store.fetch(Song.self).where { $0.artist == "Bill Evans" }.select(\.title, \.year).all() { … }
    /// ```
    ///
    /// Where an index has the properties in its parts or covers them, records are not read at all. The properties are of types that Trove stores
    /// natively; values of other types come by ``partial(_:)-swift.method``.
    public func select<each Value: Storable>(_ property: repeat KeyPath<Object, each Value>) -> Selection<Object, Source, repeat each Value> {
        var properties: [PartialKeyPath<Object>] = []
        repeat properties.append(each property)
        let (fetch, paths) = naming { try properties.map { try Object.path($0) } }
        return Selection(source: source, draft: fetch.draft, paths: paths)
    }

    /// The values that a closure names as conditions do, also nested ones; a missing value is nil.
    ///
    /// ```swift
    /// for (title, city, price) in try orders.select({ ($0.title, $0.address.city, $0.lines[0].price) }).all() { … }
    /// ```
    ///
    /// A path that can lead nowhere, as into a text, makes running it throw ``TroveError/unknownPath(model:path:reason:)``; a value of another type than its field has,
    /// ``TroveError/decodingFailed(model:field:id:reason:)``.
    public func select<each Value: Storable>(
        fields: (Fields<Object>) -> (repeat Field<each Value>)
    ) -> Selection<Object, Source, repeat each Value> {
        let chosen = fields(Fields())
        var found: [Result<FieldPath, TroveError>] = []
        repeat found.append((each chosen).result)
        let (fetch, paths) = naming { try found.map { try $0.get() } }
        return Selection(source: source, draft: fetch.draft, paths: paths)
    }
}
