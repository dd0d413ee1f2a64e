extension Plan {
    /// The plan with the number of rows that its index has about, where it was chosen without a look at the index.
    func estimated(_ transaction: ReadTransaction) throws -> Plan {
        guard !estimatedRows.isFinite, case .index(let scan) = access.kind else { return self }
        let costs = CostModel(transaction.core.capabilities)
        let rows = Double(try scan.ranges.reduce(0) { $0 + (try transaction.estimate($1, in: scan.index)) })
        let cost = costs.start + rows * costs.entry
        return Plan(Access(access.kind, estimatedRows: rows, cost: cost), arrangement, residual: residual, estimatedRows: rows, cost: cost, order: order)
    }

    /// The plan for people to read.
    ///
    /// - Parameters:
    ///   - rows: what the steps met, when the query was run.
    ///   - results: how many results it gave then.
    ///   - readsRecords: whether the records of keys are wanted, rather than what the index has.
    ///   - following: the step that reads what the sort needs behind references; nil when nothing is.
    func explained(
        _ query: Query, rows: PlanRows?, results: Int?, readsRecords: Bool = true, following: (summary: String, rows: Int?)? = nil
    ) -> Explanation {
        typealias Step = Explanation.Step
        var step = explained(access, rows)
        if readsRecords, access.findsKeys, access.kind.isReading {
            let summary = arrangement == .index(.ascending) || arrangement == .index(.descending)
                ? "read the records in the index's order" : "read the records in the order of their keys"
            step = Step(
                kind: .read, summary: summary, index: nil, estimatedRows: Self.whole(access.estimatedRows),
                actualRows: rows?.fetched, steps: [step])
        }
        if residual != .constant(true) {
            step = Step(
                kind: .check, summary: "check \(residual.explained)", index: nil, estimatedRows: Self.whole(estimatedRows),
                actualRows: rows?.matches, steps: [step])
        }
        step = step.following(following)
        if let order, !order.isComplete {
            let rest = query.sort.filter { key in !order.criteria.contains { query.sort[$0] == key } }
            step = Step(
                kind: .sort, summary: "sort what is equal so far by \(Self.list(rest))", index: nil, estimatedRows: nil,
                actualRows: rows?.sorted, steps: [step])
        } else if arrangement == .sort {
            let reach = ResultWindow(query).reach.flatMap { $0 <= ResultWindow.maxTop ? ", the first \($0)" : nil } ?? ""
            step = Step(
                kind: .sort, summary: "sort by \(Self.list(query.sort))\(reach)", index: nil, estimatedRows: Self.whole(estimatedRows),
                actualRows: rows?.sorted, steps: [step])
        }
        if query.hasWindow {
            let parts = [query.offset > 0 ? "pass over \(query.offset)" : nil, query.limit.map { "at most \($0)" }]
            step = Step(
                kind: .window, summary: parts.compactMap { $0 }.joined(separator: ", "), index: nil,
                estimatedRows: Self.whole(Double(ResultWindow(query).passing(Self.whole(estimatedRows)))), actualRows: results, steps: [step])
        }
        return Explanation(step: step, estimatedCost: estimatedCost)
    }

    private func explained(_ access: Access, _ rows: PlanRows?) -> Explanation.Step {
        Explanation.Step(
            kind: access.kind.explainedKind,
            summary: access.summary(isBackward: arrangement == .index(.descending) || arrangement == .key(.descending))
                + (rows.map { $0.threads > 1 ? ", on \($0.threads) threads" : "" } ?? ""),
            index: access.indexName, estimatedRows: Self.whole(access.estimatedRows), actualRows: rows?[access.number],
            steps: access.parts.map { explained($0, rows) })
    }

    private static func whole(_ rows: Double) -> Int { Int(min(rows, 1e15).rounded()) }

    private static func list(_ keys: [SortKey]) -> String {
        keys.map { key in
            "\(key.path)" + (key.direction == .descending ? " descending" : "") + key.ignoring.phrase
        }.joined(separator: ", ")
    }
}

extension Access {
    fileprivate var indexName: String? {
        switch kind {
        case .index(let scan): scan.index.schema.name
        case .words(let scan): scan.index.schema.name
        default: nil
        }
    }
}

extension Access {
    fileprivate func summary(isBackward: Bool) -> String {
        let summary = kind.summary(isBackward: isBackward)
        return named.isEmpty ? summary : "\(summary): \(named.map(\.explained).joined(separator: " and "))"
    }
}

extension Access.Kind {
    /// Whether there are records to be read for the keys that the step finds.
    fileprivate var isReading: Bool {
        if case .nothing = self { false } else { true }
    }

    fileprivate var explainedKind: Explanation.Kind {
        switch self {
        case .nothing: .nothing
        case .lookups: .lookUp
        case .records: .scan
        case .index, .words: .index
        case .intersection: .intersection
        case .union: .union
        }
    }

    fileprivate func summary(isBackward: Bool) -> String {
        let direction = isBackward ? ", backwards" : ""
        switch self {
        case .nothing: return "nothing: no object can pass the filter"
        case .lookups(let keys): return "look up \(keys.count) \(keys.count == 1 ? "id" : "ids")"
        case .records(.all): return "scan all records\(direction)"
        case .records: return "scan a range of the ids\(direction)"
        case .index(let scan):
            let conditions = scan.conditions.isEmpty ? "all of it" : scan.conditions.map(\.explained).joined(separator: " and ")
            let ranges = scan.ranges.count == 1 ? "" : " in \(scan.ranges.count) ranges"
            let skipped = scan.skipped == 0 ? "" : " for each of \(scan.skipped) values of \(scan.index.fields.parts[0].part.path)"
            return "index '\(scan.index.schema.name)': \(conditions)\(skipped)\(ranges)\(direction)"
        case .words(let scan): return "index '\(scan.index.schema.name)': \(scan)"
        case .intersection: return "keys that all of these find"
        case .union: return "keys that any of these finds"
        }
    }
}
