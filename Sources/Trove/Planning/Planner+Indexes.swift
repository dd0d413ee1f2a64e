extension Planner {
    /// How many look-ups are done before a range of ids is read instead.
    private static let maxLookups = 10_000

    /// Look-ups or a range of the ids that the conditions allow; nil when they say nothing of ids.
    func identifiedAccess(_ conditions: [Filter]) throws -> Candidate? {
        guard let type = model.binding.idType else { return keyedAccess(conditions) }
        let matcher = PartMatcher(path: .id, type: type.unwrapped, ignoresCase: false, members: nil, idType: type)
        var all: PartIntervals?
        var answered: Set<Int> = []
        for (number, condition) in conditions.enumerated() {
            guard let intervals = try matcher.intervals(condition) else { continue }
            all = all?.intersection(intervals) ?? intervals
            if intervals.isExact { answered.insert(number) }
        }
        guard let all else { return nil }
        guard let first = all.intervals.first, let last = all.intervals.last else {
            return Candidate(access: Access(.nothing, estimatedRows: 0, cost: 0), answered: [])
        }
        // Of a shortened key only the beginning is in order.
        let isShort = all.intervals.allSatisfy { max($0.lower.count, $0.upper?.count ?? 0) < StorageLimits.maxKeySize - 16 }
        if all.arePoints, all.intervals.count <= Self.maxLookups {
            var keys = KeyList()
            for interval in all.intervals { RecordKey(interval.lower).bytes.withUnsafeBytes { keys.append($0) } }
            keys.sortUniquely()
            let count = Double(keys.count)
            return Candidate(access: Access(.lookups(keys), estimatedRows: count, cost: costs.start), answered: isShort ? answered : [])
        }
        let range = KeyRange(from: isShort ? first.lower : [], upTo: isShort ? last.upper : nil)
        let isWhole = isShort && all.intervals.count == 1
        return Candidate(access: Access(.records(range), estimatedRows: 0, cost: costs.start), answered: isWhole ? answered : [])
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
            return Candidate(access: Access(.lookups(keys), estimatedRows: Double(keys.count), cost: costs.start), answered: [])
        }
        return nil
    }
}

extension Planner {
    /// How many combinations of single values are sought one by one.
    private static let maxCombinations = 256
    /// How many ranges are estimated; more are taken to be like these.
    private static let maxEstimates = 8

    /// What an index can find of the objects that pass the conditions; nil when it tells nothing about them.
    func candidate(_ index: IndexBinding, _ conditions: [Filter], total: Double) throws -> Candidate? {
        var combinations: [[[UInt8]]] = [[]]
        var last: [PartIntervals.Interval]?
        var (touched, answered): (Set<Int>, Set<Int>) = ([], [])
        var fixedParts = 0
        for (position, part) in index.fields.parts.enumerated() {
            guard let found = try intervals(of: part, conditions) else { break }
            touched.formUnion(found.touched)
            answered.formUnion(found.answered)
            if found.intervals.isEmpty { return Candidate(access: Access(.nothing, estimatedRows: 0, cost: 0), answered: []) }
            guard found.arePoints, combinations.count * found.intervals.count <= Self.maxCombinations else {
                last = found.intervals
                break
            }
            combinations = combinations.flatMap { first in found.intervals.map { first + [$0.lower] } }
            if found.intervals.count == 1, fixedParts == position { fixedParts += 1 }
        }
        guard !touched.isEmpty else { return nil }
        let found = combinations.flatMap { first in
            last.map { $0.map { index.entryRange(parts: first, last: $0.keyPartRange) } } ?? [index.entryRange(parts: first)]
        }
        let mustRecheck = found.contains(where: \.needsRecheck)
        let scan = IndexScan(
            index: index, ranges: Self.merged(found.map(\.keys)), conditions: touched.sorted().map { conditions[$0].explained },
            mustRecheck: mustRecheck, fixedParts: fixedParts)
        let isSingle = index.schema.isUnique && last == nil && combinations[0].count == index.fields.parts.count
        let rows = isSingle ? Double(scan.ranges.count) : try estimatedRows(scan)
        let access = Access(.index(scan), estimatedRows: rows, cost: Double(scan.ranges.count) * costs.start + rows * costs.entry)
        return Candidate(access: access, answered: mustRecheck ? [] : answered, order: order(of: scan))
    }

    /// An index read from end to end for its order.
    func orderedCandidates(_ indexes: [IndexBinding], total: Double) throws -> [Candidate] {
        indexes.filter(\.schema.kind.isOrdered).compactMap { index in
            let scan = IndexScan(index: index, ranges: [.all], conditions: [], mustRecheck: false, fixedParts: 0)
            guard let order = order(of: scan), !order.criteria.isEmpty else { return nil }
            let access = Access(.index(scan), estimatedRows: total, cost: total * costs.entry)
            return Candidate(access: access, answered: [], order: order)
        }
    }

    private struct FoundIntervals {
        var intervals: [PartIntervals.Interval]
        var arePoints: Bool
        var touched: Set<Int>
        var answered: Set<Int>
    }

    /// The values of a part that the conditions allow.
    private func intervals(
        of part: IndexFields.Part, _ conditions: [Filter]
    ) throws -> FoundIntervals? {
        let matcher = PartMatcher(
            path: part.part.path, type: part.type, ignoresCase: part.part.ignoringCase,
            members: part.members)
        var all: PartIntervals?
        var found = FoundIntervals(intervals: [], arePoints: false, touched: [], answered: [])
        for (number, condition) in conditions.enumerated() {
            guard let intervals = try matcher.intervals(condition) else { continue }
            // Two conditions on members may be met by two members, which are two entries.
            if part.members != nil, let known = all {
                guard intervals.arePoints, !known.arePoints else { continue }
                (all, found.touched, found.answered) = (nil, [], [])
            }
            all = all?.intersection(intervals) ?? intervals
            found.touched.insert(number)
            if intervals.isExact { found.answered.insert(number) }
        }
        guard let all else { return nil }
        found.intervals = all.intervals
        found.arePoints = all.arePoints
        return found
    }

    /// The ranges ascending and without overlaps, which those of cut parts can have.
    private static func merged(_ ranges: [KeyRange]) -> [KeyRange] {
        var merged: [KeyRange] = []
        for range in ranges.filter({ !$0.isEmpty }).sorted(by: { ByteOrder.isBefore($0.lower, $1.lower) }) {
            guard let last = merged.last, let end = last.upper.map({ ByteOrder.isBefore(range.lower, $0) }), end else {
                if merged.last?.upper == nil, !merged.isEmpty { break }
                merged.append(range)
                continue
            }
            let upper = range.upper.flatMap { new in last.upper.map { $0.lexicographicallyPrecedes(new) ? new : $0 } }
            merged[merged.count - 1] = KeyRange(from: last.lower, upTo: upper)
        }
        return merged
    }

    private func estimatedRows(_ scan: IndexScan) throws -> Double {
        let looked = scan.ranges.prefix(Self.maxEstimates)
        guard !looked.isEmpty else { return 0 }
        let rows = try looked.reduce(0) { $0 + (try transaction.estimate($1, in: scan.index)) }
        return Double(rows) * Double(scan.ranges.count) / Double(looked.count)
    }
}

extension Planner {
    /// For each condition on words, or on a part of a text, what an index of words or trigrams finds for it.
    func wordCandidates(_ indexes: [IndexBinding], _ conditions: [Filter]) throws -> [Candidate] {
        try conditions.enumerated().compactMap { number, condition in
            guard let (scan, isExact) = try wordScan(indexes, condition) else { return nil }
            let rows = Double(try scan.estimate(transaction.reader))
            let access = Access(.words(scan), estimatedRows: rows, cost: costs.start + rows * costs.entry)
            return Candidate(access: access, answered: isExact ? [number] : [])
        }
    }

    private func wordScan(_ indexes: [IndexBinding], _ condition: Filter) throws -> (WordScan, isExact: Bool)? {
        switch condition {
        case .fullText(let query, let path):
            let schema = try model.binding.fullTextSchema(of: path)
            guard let index = indexes.first(where: { $0.schema == schema }) else { return nil }
            return (WordScan(index: index, target: .words(query.restricted(to: path))), true)
        case .text(.path(let path), let test, .value(.string(let text)), _):
            guard test.needsPart, SubstringIndex.canFind(text),
                let index = indexes.first(where: { $0.schema.kind == .substring && $0.schema.parts.first?.path == path })
            else { return nil }
            return (WordScan(index: index, target: .part(text)), false)
        default:
            return nil
        }
    }
}
