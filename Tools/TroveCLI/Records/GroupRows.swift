import Trove

/// Groups as rows: those that pass a condition on their columns, in an order, some of them.
struct GroupRows {
    let columns: GroupColumns
    /// What is true of the groups that are wanted, in criteria text on their columns.
    var condition: String?
    /// Their order: columns with commas between, with `desc` behind them where wanted.
    var sort: String?
    var limit: Int?
    var offset = 0

    /// The rows of groups, each with a value for each column.
    ///
    /// - Throws: what reading the texts throws; ``CommandError/noSuchColumn(name:known:)``.
    func rows(of groups: [QueryGroup<[StoredValue], [StoredValue]>]) throws -> [[StoredValue]] {
        let rows = groups.map { $0.key + $0.values }
        guard condition != nil || sort != nil else { return Array(rows.dropFirst(offset).prefix(limit ?? .max)) }
        // Criteria text means here what it means elsewhere, since the rows are documents.
        let store = try ObjectStore(MemoryBackend(), models: [])
        defer { try? store.close() }
        let table = store.documents("groups")
        // They are read once, so an index of all paths would cost more than it saves.
        try table.setIndexing(.only(DocumentPath(Self.name(0))))
        // Their ids ascend, so that equal ones stay in the order of the groups.
        let documents = rows.map { row in Document(.object(Dictionary(uniqueKeysWithValues: row.enumerated().map { (Self.name($0.offset), $0.element) }))) }
        try table.save(documents)
        var fetch = table.fetch()
        if let condition { fetch = fetch.where(try Filter(criteria: GroupColumns.criteria(condition)).mapPaths(path)) }
        if let sort {
            let keys = try QueryText.sortKeys(GroupColumns.criteria(sort))
            fetch = fetch.sorted(using: try keys.map { SortKey(try path($0.path), $0.direction, ignoring: $0.ignoring) })
        }
        if let limit { fetch = fetch.limit(limit) }
        let places = Dictionary(uniqueKeysWithValues: documents.enumerated().map { ($0.element.id, $0.offset) })
        return try fetch.offset(offset).ids().compactMap { id in places[id].map { rows[$0] } }
    }

    /// The path of a column that a path names; one into the members of a list is of a column already.
    private func path(_ path: FieldPath) throws -> FieldPath { path.field.isEmpty ? path : FieldPath(field: Self.name(try columns.column(at: path))) }

    private static func name(_ column: Int) -> String { "c\(column)" }
}
