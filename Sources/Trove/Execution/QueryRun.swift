/// One run of a query in one transaction.
final class QueryRun {
    /// What `all`, `forEach` and the like do with a result.
    typealias RecordBody = (_ key: RawSpan, _ record: RawSpan) throws -> ScanStep

    let transaction: ReadTransaction
    let model: OpenModel
    let query: Query
    let plan: Plan
    /// What the access does not make sure of; nil when nothing is left to check.
    let residual: CompiledFilter?
    private var checked: CheckedFilter
    /// The whole filter, once what is behind references has been asked.
    var conditions: Filter { checked.filter }
    let encoder: SortEncoder
    /// What of the sort is behind references; nil when nothing is.
    let sorted: ReferencedValues?
    /// What of the results' values is behind references; nil when nothing is.
    let selected: ReferencedValues?
    /// Results up to this place are left out. One without a key is before all results with its sort's values, of which
    /// a run in the order of keys knows nothing.
    let start: QueryPlace?
    // The checks of exclusive access took a tenth of a record. A run is used by its transaction's thread alone, and nothing of a caller runs while one
    // of these is changed.
    /// How many rows each step of the plan met.
    @exclusivity(unchecked) var rows: PlanRows
    /// Asked now and then whether the run should go on.
    @exclusivity(unchecked) var watch: ReadWatch
    /// Of steps that unite look-ups with what indexes find, by their numbers: the keys that no index has found, which need no record.
    var namedAlone: [Int: KeyList] = [:]
    /// Scratch for sort bytes and keys.
    var scratch = ByteWriter()

    /// Plans the query.
    ///
    /// - Parameters:
    ///   - purpose: what is wanted of the results.
    ///   - place: where to go on, in place of the draft's token.
    ///   - hops: how many references lead from the query it is a part of to this one.
    ///   - watch: that of the query it is a part of; nil for a query of its own.
    ///   - selected: what is wanted of the results' values behind references; nil when nothing is.
    ///   - rewritten: the ``conditions`` of another run of the query in the same snapshot, so that nothing is asked again; nil when there is none.
    /// - Throws: what the building found wrong, and what the query's paths, values and token have wrong.
    init(
        _ transaction: ReadTransaction, _ model: OpenModel, _ draft: QueryDraft, _ purpose: Planner.Purpose, behind place: QueryPlace? = nil,
        hops: Int = 0, watch: ReadWatch? = nil, selected: ReferencedValues? = nil, rewritten: Filter? = nil
    ) throws {
        var query = try draft.checkedQuery()
        let watch = watch ?? draft.watch(heedsCancellation: !(transaction is WriteTransaction))
        try watch.look()
        self.watch = watch
        let binding = model.binding
        self.transaction = transaction
        self.model = model
        var checked = try CheckedFilter(transaction, model, &query, hops: hops, watch, rewritten: rewritten)
        self.query = query
        (encoder, sorted) = try transaction.encoder(of: query.sort, model, selected?.objects)
        self.selected = selected
        let encoder = encoder
        let start = try place ?? draft.start.map { token in
            try token.place(in: QueryFingerprint.of(query, in: binding.schema, sortedBy: encoder), sealer: transaction.core.tokenSealer)
        }
        let normal = checked.filter.normalized
        plan = try Planner(transaction, model, query, normal, purpose, needsOrder: start != nil, watch).plan()
        if case .key = plan.arrangement, start?.key.isEmpty ?? false { self.start = nil } else { self.start = start }
        if case .constant(true) = plan.residual {
            residual = nil
        } else {
            residual = CompiledFilter(try plan.residual == normal ? checked.tree() : checked.compiler.tree(plan.residual))
        }
        self.checked = checked
        rows = PlanRows(plan)
    }

    /// How the query is answered, and what the steps have met so far.
    ///
    /// - Parameters:
    ///   - results: how many results it gave; nil when it was not run.
    ///   - readsRecords: whether the records of keys are wanted, rather than what the index has.
    func explained(results: Int?, readsRecords: Bool = true) throws -> Explanation {
        let explanation = try plan.estimated(transaction).explained(
            query, rows: results.map { _ in rows }, results: results, readsRecords: readsRecords, following: sorted?.step(isRun: results != nil))
        return explanation.following(selected?.step(isRun: results != nil))
    }

    var reader: any StorageReader {
        get throws { try transaction.reader }
    }

    /// Whether a record passes a filter; nil passes everything.
    @inline(__always)
    func passes(_ filter: CompiledFilter?, key: RawSpan, record: RawSpan) throws -> Bool {
        guard let filter else { return true }
        var passes = false
        try transaction.withRecordView(record, key: key, model) { passes = try filter.matches($0) }
        return passes
    }
}

extension QueryRun {
    /// Calls `body` with the key and record of each result, in order, until it returns ``ScanStep/stop``.
    ///
    /// - Parameter mayChange: whether `body` may change the keyspaces that are read. What an index or a sort found is then
    ///   gathered first, and each record read and checked anew when its turn comes.
    func forEachRecord(mayChange: Bool = false, _ body: RecordBody) throws {
        var window = ResultWindow(query)
        guard !window.isClosed, model.keyspace != nil else { return }
        if mayChange, transaction is WriteTransaction, !plan.isLiveScan {
            let keys = try gatherKeys()
            return try forEachRecordAnew(keys, body)
        }
        if residual == nil, plan.findsResults {
            // Keys that the window leaves out need no record.
            try forEachBatch(window: window) { keys in try fetch(keys, filter: nil, body) }
            return
        }
        try forEachMatch { key, record in try window.pass { try body(key, record) } }
    }

    /// Calls `body` with the key of each result, in order.
    func forEachKey(_ body: (RawSpan) throws -> ScanStep) throws {
        var window = ResultWindow(query)
        guard !window.isClosed, model.keyspace != nil else { return }
        if residual == nil, plan.findsResults {
            try forEachBatch(window: window) { try $0.forEach(body) }
            return
        }
        try forEachMatch { key, _ in try window.pass { try body(key) } }
    }

    /// The keys of the results, in order.
    func gatherKeys() throws -> KeyList {
        var keys = KeyList()
        try forEachKey { key in
            keys.append(key)
            return .next
        }
        return keys
    }

    /// How many results there are, those outside of the window left out.
    func count() throws -> Int {
        let window = ResultWindow(query)
        guard !window.isClosed, model.keyspace != nil else { return 0 }
        if start == nil, residual == nil, let count = try countFromAccess(upTo: window.reach) {
            return window.passing(count)
        }
        if start == nil, window.reach == nil, let count = try sharedCount(isOrdered: false) { return window.passing(count) }
        var count = 0
        let reach = window.reach ?? .max
        func visit(_: RawSpan, _: RawSpan) -> ScanStep {
            count += 1
            return count == reach ? .stop : .next
        }
        // Their order does not matter, but the place of a token has to be compared with.
        if start == nil { try forEachUnorderedMatch(readsRecords: false, visit) } else { try forEachMatch(visit) }
        return window.passing(count)
    }

    /// As ``ReadTransaction/forEachRecordAnew(_:_:of:_:_:_:)``.
    private func forEachRecordAnew(_ keys: KeyList, _ body: RecordBody) throws {
        try transaction.forEachRecordAnew(keys, 0..<keys.count, of: model, checked.compiled(), watch, body)
    }
}
