extension Planner {
    /// For each condition on words, or on a part of a text, what an index of words or trigrams finds for it.
    func wordCandidates(_ indexes: [IndexBinding], _ conditions: [Filter]) throws -> [Candidate] {
        try conditions.enumerated().compactMap { number, condition in
            guard let (scan, isExact) = try wordScan(indexes, condition) else { return nil }
            let rows = Double(try scan.estimate(transaction.reader, watch))
            let access = Access(.words(scan), estimatedRows: rows, cost: costs.start + rows * costs.entry)
            return Candidate(access: access, answered: isExact ? ConditionSet(number) : ConditionSet())
        }
    }

    private func wordScan(_ indexes: [IndexBinding], _ condition: Filter) throws -> (WordScan, isExact: Bool)? {
        switch condition {
        case .fullText(let query, let path):
            let schema = try model.binding.fullTextSchema(of: path)
            guard let index = indexes.first(where: { $0.schema == schema }) else { return nil }
            return (WordScan(index: index, target: .words(query.restricted(to: path))), true)
        case .text(.path(let path), _, .value(.string(let text)), let ignoring):
            // Whatever passes a test of text has the text sought in it, and so have texts of which more is ignored.
            let usable = indexes.filter { index in
                guard let folding = index.schema.trigramFolding, index.schema.parts.first?.path == path else { return false }
                return folding.isSuperset(of: ignoring) && SubstringIndex.canFind(text, by: folding)
            }
            // The more is ignored, the more is found that fails the test.
            guard let index = usable.min(by: { $0.schema.trigramFolding?.rawValue ?? 0 < $1.schema.trigramFolding?.rawValue ?? 0 }) else { return nil }
            return (WordScan(index: index, target: .part(text)), false)
        default:
            return nil
        }
    }
}

extension Planner {
    /// The most steps that are intersected.
    private static let maxIntersected = 4
    /// The most steps that are united; of more, one pass over the records is cheaper than planning each.
    private static let maxUnited = 1_000

    /// For each condition that is an `or`: the union of what finds its branches, where something finds each.
    func unionCandidates(_ indexes: [IndexBinding], total: Double) throws -> [Candidate] {
        try conditions.enumerated().compactMap { number, condition in
            guard case .or(let branches) = condition, branches.count <= Self.maxUnited else { return nil }
            var parts: [Access] = []
            var isExact = true
            for branch in branches {
                try watch.look()
                guard let best = try bestAccess(branch.conjuncts, indexes) else { return nil }
                parts.append(best.access)
                if best.answered.count < branch.conjuncts.count { isExact = false }
            }
            let rows = parts.reduce(0) { $0 + $1.estimatedRows }
            let cost = parts.reduce(0) { $0 + $1.cost } + rows * costs.keySort
            let access = Access(.union(parts), estimatedRows: min(rows, total), cost: cost)
            return Candidate(access: access, answered: isExact ? ConditionSet(number) : ConditionSet())
        }
    }

    /// The cheapest single way to the keys of objects that pass some conditions.
    private func bestAccess(_ conditions: [Filter], _ indexes: [IndexBinding]) throws -> Candidate? {
        var found = try singleCandidates(indexes, conditions)
        if let identified = try identifiedAccess(conditions), identified.access.findsKeys { found.append(identified) }
        return found.min { reading($0) < reading($1) }
    }

    /// Several of the candidates together, where reading fewer records pays for reading more entries.
    func intersection(of candidates: [Candidate], total: Double) -> Candidate? {
        let sorted = candidates.filter { $0.access.findsKeys && !$0.answered.isEmpty }.sorted { $0.rows < $1.rows }
        guard var current = sorted.first, total > 0 else { return nil }
        var parts = [current.access]
        for next in sorted.dropFirst() where parts.count < Self.maxIntersected && next.answered.isDisjoint(with: current.answered) {
            let rows = current.rows * next.rows / total
            let cost = current.access.cost + next.access.cost + (parts.count == 1 ? current.rows : 0) * costs.keySort + next.rows * costs.keySort
            var combined = Candidate(
                access: Access(.intersection(parts + [next.access]), estimatedRows: rows, cost: cost),
                answered: current.answered.union(next.answered))
            guard reading(combined) < reading(current) else { continue }
            parts.append(next.access)
            combined.access.estimatedRows = rows
            current = combined
        }
        return parts.count > 1 ? current : nil
    }
}
