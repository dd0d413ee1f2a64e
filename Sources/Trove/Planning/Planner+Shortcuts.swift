/// Plans that are chosen before everything else is looked at.
extension Planner {
    /// How few rows are read without asking whether something else would find fewer: that would take as long.
    static let few = 32

    /// A plan that reads few rows whatever the index holds; nil when it takes a look at it to tell.
    func planWithoutCounting(_ proposal: Proposal) -> Plan? {
        let wanted = ResultWindow(query).reach ?? .max
        func candidate(rows: Double) -> Candidate {
            let access = Access(.index(proposal.scan), estimatedRows: rows, cost: costs.start + rows * costs.entry)
            return Candidate(access: access, answered: proposal.answered, order: proposal.order)
        }
        if proposal.isUnique, proposal.scan.ranges.count <= Self.few { return cheapest(candidate(rows: Double(proposal.scan.ranges.count))) }
        guard proposal.answered.count == conditions.count else { return nil }
        if wanted <= Self.few, let order = proposal.order, order.keysAreInOrder {
            return ordered(candidate(rows: Double(wanted)), order, .constant(true), 1)
        }
        // All of the entries have to be read anyway, and are less than the records.
        guard sort.isEmpty, !conditions.isEmpty, counts && proposal.scan.findsEachOnce || covers(proposal.scan.index) && query.limit == nil else { return nil }
        return gathered(candidate(rows: .infinity), .constant(true), 1)
    }

    /// The plan for values of all objects, where an index has them; first of all one whose order they are in.
    func planOfWholeIndex(_ indexes: [IndexBinding]) -> Plan? {
        guard case .totals(let paths) = purpose, conditions.isEmpty, sort.isEmpty else { return nil }
        let covering = indexes.filter(covers)
        guard let index = covering.first(where: { $0.fields.parts[0].part.path == paths.first }) ?? covering.first else { return nil }
        let scan = IndexScan(index: index, ranges: [.all], conditions: [], mustRecheck: false, fixedParts: 0)
        let access = Access(.index(scan), estimatedRows: .infinity, cost: .infinity)
        return gathered(Candidate(access: access, answered: ConditionSet()), .constant(true), 1)
    }

    /// Whether the entries of an index have all that is wanted of the objects.
    private func covers(_ index: IndexBinding) -> Bool {
        switch purpose {
        case .values(let paths), .totals(let paths): Covering(paths, index) != nil
        case .keys: true
        case .records, .count: false
        }
    }

    /// Whether records have to be read for the keys that an access finds.
    func needsRecords(_ access: Access, _ left: Filter) -> Bool {
        if left != .constant(true) { return true }
        switch (purpose, access.kind) {
        case (.records, _): return true
        case (.values, .index(let scan)), (.totals, .index(let scan)): return !covers(scan.index)
        case (.values, _), (.totals, _): return true
        case (.keys, _), (.count, _): return false
        }
    }

    /// The plan of a candidate that finds so few rows that no other is looked for; nil of one that finds more, or of which not all was looked at.
    func planOfFew(_ candidate: Candidate) -> Plan? {
        guard candidate.rows <= Double(Self.few), case .index(let scan) = candidate.access.kind, scan.found != nil else { return nil }
        return cheapest(candidate)
    }

    private func cheapest(_ candidate: Candidate) -> Plan? {
        options(candidate, shares([candidate], total: candidate.rows)).min { $0.estimatedCost < $1.estimatedCost }
    }
}
