extension Planner {
    /// For each condition on words, or on a part of a text, what an index of words or trigrams finds for it.
    func wordCandidates(_ indexes: [IndexBinding], _ conditions: [Filter]) throws -> [Candidate] {
        try conditions.enumerated().compactMap { number, condition in
            guard let (scan, isExact) = try wordScan(indexes, condition) else { return nil }
            let rows = Double(try scan.estimate(transaction.reader))
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
        case .text(.path(let path), _, .value(.string(let text)), _):
            // Whatever passes a test of text has the text sought in it.
            guard SubstringIndex.canFind(text),
                let index = indexes.first(where: { $0.schema.kind == .substring && $0.schema.parts.first?.path == path })
            else { return nil }
            return (WordScan(index: index, target: .part(text)), false)
        default:
            return nil
        }
    }
}
