/// Some properties of a query's objects, read as tuples; see ``Fetch/select(_:)``.
public struct Selection<Object: Model, Source: ObjectSource, each Value: Storable> {
    @usableFromInline let source: Source
    @usableFromInline let draft: QueryDraft
    @usableFromInline let paths: [FieldPath]

    @usableFromInline
    init(source: Source, draft: QueryDraft, paths: [FieldPath]) {
        (self.source, self.draft, self.paths) = (source, draft, paths)
    }

    /// The values in the query's order, read in one snapshot.
    @inlinable
    public func all() throws -> [(repeat each Value)] {
        let rows = try rows()
        var tuples: [(repeat each Value)] = []
        tuples.reserveCapacity(rows.count)
        // Compilers up to Swift 6.3 crash on a tuple of a pack that is made in a closure or handed to one, so each is made here.
        var place = (row: 0, column: 0)
        for _ in 0..<rows.count { tuples.append((repeat try next((each Value).self, rows, &place))) }
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
        try source.read(of: draft.reading(paths)) { transaction in
            try FieldSelection(transaction, transaction.open(Object.self, draft), draft, paths).explain(running: running)
        }
    }

    @usableFromInline
    func rows() throws -> SelectedRows {
        try source.read(of: draft.reading(paths)) { transaction in
            try FieldSelection(transaction, transaction.open(Object.self, draft), draft, paths).rows()
        }
    }

    /// The value at a place, which then is the next one.
    @inlinable @inline(__always)
    func next<Next: Storable>(_ type: Next.Type, _ rows: SelectedRows, _ place: inout (row: Int, column: Int)) throws -> Next {
        let (row, column) = place
        place = column + 1 < rows.width ? (row, column + 1) : (row + 1, 0)
        do {
            return try Next(_stored: rows.value(column, of: row))
        } catch DecodingFault.unfit(let reason) {
            throw unfit(rows, row, column, reason)
        }
    }

    /// What is thrown for a value that is not of its property's type.
    @usableFromInline
    func unfit(_ rows: SelectedRows, _ row: Int, _ column: Int, _ reason: String) -> TroveError {
        let id = RecordID.shown(rows.key(of: row), as: Object.ID.self)
        return .decodingFailed(model: draft.query.model, field: paths[column].description, id: id, reason: reason)
    }
}

extension Selection: Sendable where Source: Sendable {}

extension Selection where Source: AsyncObjectSource {
    /// The values of the first object; nil when there is none.
    public func first() async throws -> (repeat each Value)? {
        try await Selection<Object, Source, repeat each Value>(source: source, draft: draft.limited(to: 1), paths: paths).all().first
    }

    /// The plan by which the values are found; see ``explain(running:)``.
    public func explain(running: Bool = true) async throws -> Explanation {
        try await source._onReader { try self.explain(running: running) }
    }

    /// The values, in the query's order.
    public func all() async throws -> [(repeat each Value)] {
        try await source._onReader { try self.all() }
    }
}

extension Fetch {
    /// Some properties of the objects, without the others.
    ///
    /// ```swift
    /// for (title, year) in try store.fetch(Song.self).where({ $0.artist == "Bill Evans" }).select(\.title, \.year).all() { … }
    /// ```
    ///
    /// Where an index has the properties in its parts or covers them, records are not read at all. The properties are of types that Trove stores
    /// natively; values of other types come by ``partial(_:)``.
    public func select<each Value: Storable>(_ property: repeat KeyPath<Object, each Value>) -> Selection<Object, Source, repeat each Value> {
        var properties: [PartialKeyPath<Object>] = []
        repeat properties.append(each property)
        let (fetch, paths) = naming { try properties.map { try Object.path($0) } }
        return Selection(source: source, draft: fetch.draft, paths: paths)
    }

    /// The values that a closure names as conditions do, also nested ones and those of other objects; a missing value is nil.
    ///
    /// ```swift
    /// for (title, city, price) in try orders.select(fields: { ($0.title, $0.address.city, $0.lines[0].price) }).all() { … }
    /// for (title, album) in try songs.select(fields: { ($0.title, $0.album.title) }).all() { … }
    /// ```
    ///
    /// A path that can lead nowhere, as into a text, makes running it throw ``TroveError/unknownPath(model:path:reason:)``; a value of another type than its
    /// field has, ``TroveError/decodingFailed(model:field:id:reason:)``.
    public func select<each Value: Storable>(
        @ChosenFieldsBuilder fields: (Fields<Object>) -> ChosenFields<repeat each Value>
    ) -> Selection<Object, Source, repeat each Value> {
        let (fetch, paths) = naming { try fields(Fields()).paths() }
        return Selection(source: source, draft: fetch.draft, paths: paths)
    }

    @available(
        *, unavailable,
        message: "only values of types that Trove stores natively are selected: make an enum 'StorableConvertible', or take 'partial(_:)' for other types")
    @_disfavoredOverload
    public func select<each Value>(_ property: repeat KeyPath<Object, each Value>) -> Selection<Object, Source, Int> {
        Selection(source: source, draft: draft, paths: [])
    }
}

// Values at paths that are written as DocumentPath reads them: attributes of documents, and what is inside of a model's nested values, as in "lines[0].price".

extension Fetch {
    /// The different values that a closure names as conditions do, ascending, with nil first when an object has none.
    ///
    /// ```swift
    /// let cities = try store.fetch(Order.self).distinct { $0.address.city }
    /// ```
    public func distinct<Value: Storable>(of field: (Fields<Object>) -> Field<Value>) throws -> [Value] {
        try grouped(byField: field(Fields())).aggregate().map(\.key)
    }

    // Compilers up to Swift 6.3 crash on a closure of one field that is handed on as one of a pack.
    fileprivate func grouped<Value: Storable>(byField field: Field<Value>) -> GroupedFetch<Object, Source, Value> {
        let (fetch, paths) = naming { [try field.result.get()] }
        return GroupedFetch(fetch: fetch, paths: paths)
    }

    /// The values at some paths of each object, in the query's order; `.null` where a path leads nowhere. No object is made.
    ///
    /// - Throws: ``TroveError/unknownField(model:field:known:)``; ``TroveError/unknownPath(model:path:reason:)`` for a path that can lead nowhere.
    public func values(at paths: DocumentPath...) throws -> [[StoredValue]] { try values(at: paths) }

    fileprivate func values(at paths: [DocumentPath]) throws -> [[StoredValue]] {
        let paths = paths.map { Object.path(at: $0) }
        return try source.read(of: draft.reading(paths)) { transaction in
            let rows = try FieldSelection(transaction, transaction.open(Object.self, draft), draft, paths).rows()
            return (0..<rows.count).map { Array(rows[$0]) }
        }
    }
}

extension Fetch where Source: AsyncObjectSource {
    /// The different values that a closure names as conditions do, ascending, with nil first when an object has none.
    public func distinct<Value: Storable>(of field: (Fields<Object>) -> Field<Value>) async throws -> [Value] {
        try await grouped(byField: field(Fields())).aggregate().map(\.key)
    }

    /// The values at some paths of each object, in the query's order; `.null` where a path leads nowhere.
    public func values(at paths: DocumentPath...) async throws -> [[StoredValue]] {
        try await source._onReader { try self.values(at: paths) }
    }
}
