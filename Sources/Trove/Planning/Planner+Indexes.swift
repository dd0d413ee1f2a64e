extension Planner {
    /// How many look-ups are done before a range of ids is read instead.
    private static let maxLookups = 10_000

    /// Look-ups or a range of the ids that the conditions allow; nil when they say nothing of ids.
    func identifiedAccess(_ conditions: [Filter]) throws -> Candidate? {
        guard let type = model.binding.idType else { return keyedAccess(conditions) }
        let matcher = PartMatcher(path: model.binding.idPath, type: type.unwrapped, ignoresCase: false, members: nil, idType: type)
        var all: PartIntervals?
        var answered = ConditionSet()
        for (number, condition) in conditions.enumerated() {
            guard let intervals = try matcher.intervals(condition) else { continue }
            all = all?.intersection(intervals) ?? intervals
            if intervals.isExact { answered.insert(number) }
        }
        guard let all else { return nil }
        guard let first = all.intervals.first, let last = all.intervals.last else {
            return Candidate(access: Access(.nothing, estimatedRows: 0, cost: 0), answered: ConditionSet())
        }
        // Of a shortened key only the beginning is in order.
        let isShort = all.intervals.allSatisfy { max($0.lower.count, $0.upper?.count ?? 0) < StorageLimits.maxKeySize - 16 }
        if all.arePoints, all.intervals.count <= Self.maxLookups {
            var keys = KeyList()
            for interval in all.intervals { RecordKey(interval.lower).bytes.withUnsafeBytes { keys.append($0) } }
            keys.sortUniquely()
            let count = Double(keys.count)
            return Candidate(access: Access(.lookups(keys), estimatedRows: count, cost: costs.start), answered: isShort ? answered : ConditionSet())
        }
        let range = KeyRange(from: isShort ? first.lower : [], upTo: isShort ? last.upper : nil)
        let isWhole = isShort && all.intervals.count == 1
        return Candidate(access: Access(.records(range), estimatedRows: 0, cost: costs.start), answered: isWhole ? answered : ConditionSet())
    }

    /// Look-ups of ids of several values, which a condition names by their keys.
    private func keyedAccess(_ conditions: [Filter]) -> Candidate? {
        for condition in conditions {
            let values: [StoredValue]
            switch condition {
            case .comparison(.path(.id), .equal, .value(let value), _): values = [value]
            case .membership(.path(.id), let list, _): values = list
            default: continue
            }
            guard values.count <= Self.maxLookups else { continue }
            var keys = KeyList()
            for case .data(let key) in values where !key.isEmpty {
                RecordKey([UInt8](key)).bytes.withUnsafeBytes { keys.append($0) }
            }
            keys.sortUniquely()
            return Candidate(access: Access(.lookups(keys), estimatedRows: Double(keys.count), cost: costs.start), answered: ConditionSet())
        }
        return nil
    }
}

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
