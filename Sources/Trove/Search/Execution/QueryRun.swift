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
    /// The whole filter, for records that may have changed since the access found them; nil when every object passes.
    let filter: CompiledFilter?
    let encoder: SortEncoder
    /// Results up to this place are left out.
    let start: QueryPlace?
    /// How many rows each step of the plan met.
    var rows: PlanRows
    /// Scratch for sort bytes and keys.
    var scratch = ByteWriter()

    /// Plans the query.
    ///
    /// - Parameters:
    ///   - purpose: what is wanted of the results.
    ///   - place: where to go on, in place of the draft's token.
    ///   - hops: how many references lead from the query it is a part of to this one.
    /// - Throws: what the building found wrong, and what the query's paths, values and token have wrong.
    init(
        _ transaction: ReadTransaction, _ model: OpenModel, _ draft: QueryDraft, _ purpose: Planner.Purpose, behind place: QueryPlace? = nil,
        hops: Int = 0
    ) throws {
        let query = try draft.checkedQuery()
        let binding = model.binding
        self.transaction = transaction
        self.model = model
        self.query = query
        try transaction.flushIndexes()
        let filter = try SemiJoin(transaction, binding, hops: hops).rewritten(query.filter)
        // Compiled as written, so that folding hides no mistake.
        let compiled = try CompiledFilter(filter, in: binding, asking: transaction)
        encoder = try SortEncoder(query.sort, in: binding)
        start = try place ?? draft.start.map { try $0.place(in: QueryFingerprint.of(query, in: binding.schema)) }
        plan = try Planner(transaction, model, query, filter, purpose, needsOrder: start != nil).plan()
        let normal = filter.normalized
        self.filter = normal == .constant(true) ? nil : compiled
        residual = plan.residual == .constant(true) ? nil : plan.residual == normal ? compiled : try CompiledFilter(plan.residual, in: binding, asking: transaction)
        rows = PlanRows(plan)
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
