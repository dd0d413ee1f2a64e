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
        try source.read(of: draft) { transaction in
            let rows = try FieldSelection(transaction, transaction.open(Object.self, draft), draft, paths.map { Object.path(at: $0) }).rows()
            return (0..<rows.count).map { Array(rows[$0]) }
        }
    }
}

extension Fetch where Source == ObjectStore {
    /// The different values that a closure names as conditions do, ascending, with nil first when an object has none.
    public func distinct<Value: Storable>(of field: (Fields<Object>) -> Field<Value>) async throws -> [Value] {
        try await grouped(byField: field(Fields())).aggregate().map(\.key)
    }

    /// The values at some paths of each object, in the query's order; `.null` where a path leads nowhere.
    public func values(at paths: DocumentPath...) async throws -> [[StoredValue]] {
        let fetch = self
        return try await source.read { try $0.fetch(as: fetch).values(at: paths) }
    }
}
