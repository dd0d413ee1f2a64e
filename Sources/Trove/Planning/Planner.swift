/// Chooses how a query is answered: the cheapest of a scan of the records, look-ups of ids, ranges of the indexes that are ready,
/// intersections and unions of these, each with what is left to check and to sort.
struct Planner {
    /// What is wanted of the results.
    enum Purpose {
        /// The records, in order.
        case records
        /// The keys, in order.
        case keys
        /// Their number.
        case count
        /// The values at some paths, in order.
        case values([FieldPath])
        /// The same in any order, of all objects that pass.
        case totals([FieldPath])
    }

    let transaction: ReadTransaction
    let model: OpenModel
    let query: Query
    let purpose: Purpose
    /// Whether only the number of the results is wanted.
    let counts: Bool
    let costs: CostModel
    /// The filter's conditions, of which all have to hold.
    let conditions: [Filter]
    /// The criteria of the sort that decide anything.
    let sort: [SortKey]
    /// The direction in which ids decide, where the sort has nothing before them.
    let idOrder: ScanOrder
    /// Whether the results begin behind a place of the order.
    let isContinued: Bool
    /// Asked now and then whether the planning should go on.
    let watch: ReadWatch

    /// - Parameters:
    ///   - filter: the query's in normal form, as conditions on the model's own fields.
    ///   - needsOrder: whether the order matters though only the number of results is wanted.
    init(
        _ transaction: ReadTransaction, _ model: OpenModel, _ query: Query, _ filter: Filter, _ purpose: Purpose, needsOrder: Bool,
        _ watch: ReadWatch
    ) {
        self.transaction = transaction
        self.model = model
        self.watch = watch
        self.query = query
        self.purpose = purpose
        isContinued = needsOrder
        if case .count = purpose { counts = true } else { counts = false }
        costs = CostModel(transaction.core.capabilities)
        let conditions = filter.conjuncts
        self.conditions = conditions
        let criteria = counts && !needsOrder ? [] : query.sort
        if criteria.isEmpty {
            (sort, idOrder) = ([], .ascending)
            return
        }
        let binding = model.binding
        if let direction = binding.naturalKey?.direction(of: criteria, isID: { binding.isKeyOrder($0) }, isFixed: { conditions.haveOneValue(of: $0) }) {
            (sort, idOrder) = ([], direction == .ascending ? .ascending : .descending)
        } else {
            sort = Self.deciding(criteria, isID: { binding.isKeyOrder($0) })
            idOrder = binding.isKeyOrder(criteria[0]) && criteria[0].direction == .descending ? .descending : .ascending
        }
    }

    /// The criteria up to the id, which no two objects share; ids ascending decide without being asked to.
    private static func deciding(_ criteria: [SortKey], isID: (SortKey) -> Bool) -> [SortKey] {
        guard let id = criteria.firstIndex(where: isID) else { return criteria }
        if id == 0 { return [] }
        return Array(criteria[...id].filter { !isID($0) || $0.direction == .descending })
    }

    func plan() throws -> Plan {
        if query.limit == 0 { return nothing }
        if case .constant(false) = conditions.first { return nothing }
        var candidates: [Candidate] = []
        if let identified = try identifiedAccess(conditions) {
            if case .nothing = identified.access.kind { return nothing }
            candidates.append(identified)
            // Look-ups of a few ids are not beaten.
            if case .lookups = identified.access.kind { return finished(identified, total: identified.rows) }
        }
        let indexes = try usableIndexes()
        // Nor is a range of the records themselves that are the results, in their order.
        if let range = candidates.first, sort.isEmpty, range.answered.count == conditions.count { return scanPlan(range, total: 1_000) }
        guard !indexes.isEmpty else { return scanPlan(candidates.first, total: 1_000) }
        var proposals: [Proposal] = []
        for index in indexes where index.schema.kind.hasPartEntries {
            guard let proposal = try proposal(index, conditions) else { continue }
            if proposal.isEmpty { return nothing }
            if let plan = planWithoutCounting(proposal) { return plan }
            proposals.append(proposal)
        }
        let inOrder = sort.isEmpty ? [] : try indexes.compactMap { try ordered($0) } + [orderOfPath(indexes)].compactMap(\.self)
        for proposal in inOrder {
            if let plan = planWithoutCounting(proposal) { return plan }
        }
        if let plan = planOfWholeIndex(indexes) { return plan }
        let few = try candidates.first.flatMap { try fewRecords(in: $0) }
        if let few, few <= Double(Self.few) { return scanPlan(candidates.first, total: few) }
        var single: [Candidate] = []
        for proposal in proposals {
            let candidate = try candidate(proposal)
            if let plan = planOfFew(candidate) { return plan }
            single.append(candidate)
        }
        candidates += try single + wordCandidates(indexes, conditions)
        let total = try estimatedTotal(indexes)
        candidates += try unionCandidates(indexes, total: total)
        if let combined = intersection(of: candidates, total: total) { candidates.append(combined) }
        candidates += inOrder.map { candidate(ordered: $0, total: total) }
        let least = candidates.filter { $0.access.findsKeys && !$0.answered.isEmpty }.map(\.rows).min() ?? total
        let scan = scanPlan(candidates.first { !$0.access.findsKeys }, total: few ?? total, bound: least / max(1, total))
        let best = cheapest(of: candidates, total: total, or: scan)
        guard best.estimatedCost > costOfSkipping else { return best }
        let skipping = try skippingProposals(indexes).map(candidate)
        return skipping.isEmpty ? best : cheapest(of: candidates + skipping, total: total, or: scan)
    }

    private func cheapest(of candidates: [Candidate], total: Double, or scan: Plan) -> Plan {
        let shares = shares(candidates, total: total)
        var best = scan
        for candidate in candidates where candidate.access.findsKeys {
            for plan in options(candidate, shares) where plan.estimatedCost < best.estimatedCost { best = plan }
        }
        return best
    }

    private var nothing: Plan {
        Plan(Access(.nothing, estimatedRows: 0, cost: 0), .key(.ascending), residual: .constant(true), estimatedRows: 0, cost: 0)
    }

    /// The number of records, as far as it can be told without counting them.
    private func estimatedTotal(_ indexes: [IndexBinding]) throws -> Double {
        guard let keyspace = model.keyspace else { return 0 }
        let capabilities = transaction.core.capabilities
        // A remote engine has sent the indexes' own counts with their directory.
        if capabilities.countsInConstantTime, !capabilities.isRemote {
            return Double(try transaction.reader.count(in: keyspace))
        }
        if let paths = indexes.first(where: \.schema.kind.isOfPaths) { return Double(try estimatedCount(paths)) }
        let ordered = indexes.filter(\.schema.kind.hasPartEntries)
        if let index = ordered.first(where: { !$0.isMultiValued }) ?? ordered.first { return Double(try transaction.entryCount(of: index)) }
        // An index of words knows its documents.
        guard let index = indexes.first, let inverted = try index.invertedIndex() else { return 0 }
        return Double(try SearchContext(inverted, transaction.reader, weights: [], ranks: false).totals.documentCount)
    }

    /// What each of the indexes finds alone.
    func singleCandidates(_ indexes: [IndexBinding], _ conditions: [Filter]) throws -> [Candidate] {
        let ordered = indexes.filter(\.schema.kind.hasPartEntries)
        return try ordered.compactMap { try proposal($0, conditions).map(candidate) } + wordCandidates(indexes, conditions)
    }

    /// The conditions that are left when some are made sure of.
    func residual(_ answered: ConditionSet) -> Filter {
        let rest = conditions.indices.filter { !answered.contains($0) }.map { conditions[$0] }
        return switch rest.count {
        case 0: .constant(true)
        case 1: rest[0]
        default: .and(rest)
        }
    }
}

extension Planner {
    /// The order that a scan of an index gives to the query's results; nil when it is of no use.
    func order(of scan: IndexScan) throws -> IndexOrder? {
        let parts = scan.index.fields.parts
        // An object with several entries would come several times, and in cut parts the order is lost.
        if let multiple = scan.index.fields.multiplePart, multiple >= scan.fixedParts { return nil }
        if scan.mustRecheck || idOrder == .descending { return nil }
        var position = scan.fixedParts
        var direction: ScanOrder?
        var criteria: [Int] = []
        var isComplete = true
        for (number, key) in sort.enumerated() {
            if parts[..<scan.fixedParts].contains(where: { $0.fixes(key) }) { continue }
            guard position < parts.count, parts[position].sorts(key) else {
                isComplete = false
                break
            }
            let order: ScanOrder = parts[position].part.direction == key.direction ? .ascending : .descending
            guard direction == nil || direction == order else {
                isComplete = false
                break
            }
            direction = order
            criteria.append(number)
            position += 1
        }
        let usesAllParts = position == parts.count
        // Without criteria it is the order of ids, in which entries of equal parts are.
        if criteria.isEmpty, !isComplete || !usesAllParts { return nil }
        return IndexOrder(
            criteria: criteria, order: direction ?? .ascending, isComplete: isComplete, partCount: position, usesAllParts: usesAllParts,
            hasShortKeys: try transaction.hasShortKeys(scan.index))
    }
}

extension ModelBinding {
    /// Whether a criterion is the order of the ids' keys: ids whose foldings are the same are equal, and others decide between them.
    fileprivate func isKeyOrder(_ key: SortKey) -> Bool {
        guard key.path == idPath else { return false }
        guard !key.ignoring.isEmpty, let type = idType?.unwrapped else { return true }
        return type != .string && type != .url
    }
}

extension IndexFields.Part {
    /// Whether objects with one value of this part have one value of the criterion.
    fileprivate func fixes(_ key: SortKey) -> Bool {
        members == nil && part.path == key.path && (!type.isFoldable || part.ignoring.isSubset(of: key.ignoring))
    }

    /// Whether the part's bytes are those of the criterion, but for the direction.
    fileprivate func sorts(_ key: SortKey) -> Bool {
        members == nil && part.path == key.path && (!type.isFoldable || part.ignoring == key.ignoring)
    }
}

extension [Filter] {
    /// Whether all objects that pass have one value at a path.
    fileprivate func haveOneValue(of path: FieldPath) -> Bool {
        contains { condition in
            if case .comparison(.path(path), .equal, .value, ignoring: []) = condition { true } else { false }
        }
    }
}
