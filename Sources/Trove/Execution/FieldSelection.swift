/// Values of some paths of a query's results, in place of whole objects.
struct FieldSelection {
    private let run: QueryRun
    private let readers: [FieldReader]
    /// Where an index has the values, so that records need not be read but for those whose entries were cut.
    private let covering: Covering?

    /// - Throws: what ``QueryRun`` throws; ``TroveError/unknownField(model:field:)``, ``TroveError/unknownPath(model:path:reason:)``.
    init(_ transaction: ReadTransaction, _ model: OpenModel, _ draft: QueryDraft, _ paths: [FieldPath]) throws {
        readers = try paths.map { try FieldReader($0, in: model.binding) }
        run = try QueryRun(transaction, model, draft, .records)
        covering = Covering(paths, run.plan)
    }

    /// How the values are found.
    ///
    /// - Parameter running: whether to find them too.
    func explain(running: Bool) throws -> Explanation {
        let readsRecords = covering == nil
        guard running else { return run.plan.explained(run.query, rows: nil, results: nil, readsRecords: readsRecords) }
        var results = 0
        try forEach { _, _ in
            results += 1
            return .next
        }
        return run.plan.explained(run.query, rows: run.rows, results: results, readsRecords: readsRecords)
    }

    /// Calls `body` with the id's bytes and the values of each result, in the query's order, until it returns ``ScanStep/stop``.
    func forEach(_ body: (_ key: [UInt8], _ values: [StoredValue]) throws -> ScanStep) throws {
        if let covering, case .index(let scan) = run.plan.access.kind { return try forEachCovered(scan, covering, body) }
        try run.forEachRecord { key, record in
            let (whole, values) = try read(key, record)
            return try body(whole, values)
        }
    }

    private func read(_ key: RawSpan, _ record: RawSpan) throws -> ([UInt8], [StoredValue]) {
        var result: ([UInt8], [StoredValue]) = ([], [])
        try run.transaction.withRecordView(record, key: key, run.model) { view in
            result = ([UInt8](try view.wholeKey), try readers.map { try $0.value(view) })
        }
        return result
    }

    /// From the entries of the index alone.
    private func forEachCovered(
        _ scan: IndexScan, _ covering: Covering, _ body: (_ key: [UInt8], _ values: [StoredValue]) throws -> ScanStep
    ) throws {
        var window = ResultWindow(run.query)
        guard !window.isClosed else { return }
        if let order = run.plan.order {
            try run.walk(scan, order) { key, entry in
                try window.pass { try give(key, try entry.flatMap { try covering.values($0) }, body) }
            }
            return
        }
        var values: [[UInt8]: [StoredValue]] = [:]
        try run.forEachEntry(scan) { entry in values[[UInt8](entry.recordKey)] = try covering.values(entry) ?? [] }
        try run.forEachBatch(window: window) { keys in
            try keys.forEach { key in
                let found = values[[UInt8](copying: key)] ?? []
                return try give(key, found.isEmpty ? nil : found, body)
            }
        }
    }

    /// Hands on values, which are read from the record where the entry does not have them.
    private func give(
        _ key: RawSpan, _ values: [StoredValue]?, _ body: (_ key: [UInt8], _ values: [StoredValue]) throws -> ScanStep
    ) throws -> ScanStep {
        if let values, key.byteCount <= RecordKey.maxWholeSize { return try body([UInt8](copying: key), values) }
        guard let keyspace = run.model.keyspace else { return .stop }
        var found: ([UInt8], [StoredValue])?
        _ = try run.reader.get(key, in: keyspace) { found = try read(key, $0) }
        guard let found else { return .next }
        return try body(found.0, found.1)
    }
}
