/// The computing of aggregates over the objects of a query: from the entries of an index where these have all values, otherwise from the records.
struct GroupingRun {
    let model: OpenModel
    private let run: QueryRun
    /// Makes a grouping of no objects, for any thread; of values in the records alone.
    private let makeEmpty: @Sendable () throws -> Grouping
    /// Makes a grouping that has readers for values behind references; nil when there are none.
    private let makeReferencing: (() throws -> Grouping)?
    /// Whether all objects that pass the filter are wanted. A window leaves out some of the entries that an access finds, so its records are read.
    private let isWhole: Bool
    /// Where an index has the values.
    private let covering: Covering?

    /// - Parameter draft: the query; in which order it gives the objects does not matter.
    /// - Throws: what ``Grouping`` and ``QueryRun`` throw.
    init(
        _ transaction: ReadTransaction, _ model: OpenModel, _ draft: QueryDraft, by paths: [FieldPath], _ specifications: [AggregateSpecification]
    ) throws {
        self.model = model
        let binding = model.binding
        makeEmpty = { try Grouping(by: paths, aggregates: specifications, in: binding) }
        let isNested = paths.contains { !$0.names.isEmpty } || specifications.contains { $0.path?.names.isEmpty == false }
        let referenced = isNested ? try transaction.referencedValues(model, at: paths + specifications.compactMap(\.path)) : nil
        makeReferencing = referenced.map { values in { try Grouping(by: paths, aggregates: specifications, in: binding, values) } }
        // Also registers the values behind references, before the run shares them.
        let wanted = try makeReferencing?().paths ?? makeEmpty().paths
        isWhole = draft.isWhole
        let takesValues = isWhole && !wanted.isEmpty
        run = try QueryRun(transaction, model, draft, takesValues ? .totals(wanted) : .records, selected: referenced)
        covering = takesValues ? Covering(wanted, run.plan) : nil
    }

    /// The scan of the index that has the values; nil when records are read.
    var coveredScan: IndexScan? {
        guard covering != nil, case .index(let scan) = run.plan.access.kind else { return nil }
        return scan
    }

    /// Asks whether the reading should go on.
    var watch: ReadWatch { run.watch }

    /// Whether the query leaves out no object.
    var isOfAllObjects: Bool { isWhole && run.query.filter == .constant(true) }

    /// The groups of all objects.
    func grouping() throws -> Grouping {
        if let grouping = try sharedGrouping() { return grouping }
        let grouping = try makeReferencing?() ?? makeEmpty()
        if let covering, let scan = coveredScan {
            let row = CoveredRow(covering)
            let step = run.plan.access.number
            try run.forEachEntry(scan) { entry in
                run.rows[step] += 1
                if try row.load(entry) { try grouping.add(row) } else { try run.withRecord(of: entry) { try grouping.add($0) } }
            }
        } else {
            try run.forEachResult { key, record in
                try run.transaction.withRecordView(record, key: key, model) { try grouping.add(run.selected?.looking($0) ?? $0) }
                return .next
            }
        }
        return grouping
    }

    /// The groups as several threads make them of the records; nil when they cannot, or something goes wrong.
    private func sharedGrouping() throws -> Grouping? {
        // Several threads would each read the same objects behind references.
        guard coveredScan == nil, isWhole, makeReferencing == nil else { return nil }
        let makeEmpty = makeEmpty
        let parts = try run.readParts(isOrdered: true) { transaction, model, _, forEachRecord in
            let grouping = try makeEmpty()
            try forEachRecord { key, record in
                try transaction.withRecordView(record, key: key, model) { try grouping.add($0) }
            }
            return grouping
        }
        guard let parts, let first = parts.first else { return nil }
        for part in parts.dropFirst() { try first.add(part) }
        return first
    }

    /// - Parameter made: the groups, when they have been made.
    func explained(_ made: Grouping?) throws -> Explanation {
        try run.explained(results: made?.objectCount, readsRecords: covering == nil)
    }
}

extension QueryRun {
    /// Calls `body` with the record of an entry, which has to have one.
    func withRecord(of entry: IndexEntry, _ body: (RecordView) throws -> Void) throws {
        guard let keyspace = model.keyspace else { return }
        let key = entry.recordKey.bytes
        let isFound = try reader.get(key, in: keyspace) { try transaction.withRecordView($0, key: key, model, body) }
        if !isFound { try throwMissing(key) }
    }
}
