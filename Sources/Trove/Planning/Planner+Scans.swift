/// What an index can find of the objects that pass some conditions, before anybody has looked how many they are.
struct Proposal {
    let scan: IndexScan
    /// The numbers of the conditions that it makes sure of.
    let answered: ConditionSet
    /// The order in which it can give its results.
    let order: IndexOrder?
    /// Whether each of its ranges has one entry at the most.
    let isUnique: Bool

    /// Whether it makes sure that nothing passes.
    var isEmpty: Bool { scan.ranges.isEmpty }
}

extension Planner {
    /// How many combinations of single values are sought one by one.
    private static let maxCombinations = 256
    /// How many ranges are made of the values of several parts; a part with more has to be checked.
    private static let maxRanges = 4_096
    /// How many ranges are estimated; the others are taken to be like these.
    private static let maxEstimates = 8
    /// The most values of a first part that are sought one by one.
    private static let maxSkipped = 64

    /// What an index can find of the objects that pass the conditions; nil when it tells nothing about them.
    ///
    /// - Parameter leading: all values that the first part has, where no condition is on it and the parts behind it are sought for each.
    func proposal(_ index: IndexBinding, _ conditions: [Filter], leading: [[UInt8]] = []) throws -> Proposal? {
        let parts = index.fields.parts
        let start = leading.isEmpty ? 0 : 1
        // Most indexes have nothing to do with a query.
        guard let beginning = try intervals(of: parts[start], conditions) else { return nil }
        var combinations: [[[UInt8]]] = leading.isEmpty ? [[]] : leading.map { [$0] }
        var last: [PartIntervals.Interval]?
        var (touched, answered) = (ConditionSet(), ConditionSet())
        var fixedParts = 0
        let places = index.slice?.prefixes.count ?? 1
        for position in start..<parts.count {
            guard let found = try position == start ? beginning : intervals(of: parts[position], conditions),
                Self.areFew(found.intervals, combinations.count, places)
            else { break }
            touched.formUnion(found.touched)
            answered.formUnion(found.answered)
            guard found.arePoints, combinations.count * found.intervals.count <= Self.maxCombinations else {
                last = found.intervals
                break
            }
            if found.intervals.count == 1 {
                for number in combinations.indices { combinations[number].append(found.intervals[0].lower) }
                // At several paths one object may have the value several times.
                if fixedParts == position, places == 1 { fixedParts += 1 }
            } else {
                combinations = combinations.flatMap { first in found.intervals.map { first + [$0.lower] } }
            }
            if combinations.isEmpty { break }
        }
        guard !touched.isEmpty else { return nil }
        // A hash is one of all parts together.
        if index.schema.kind.isBlind, last != nil || combinations.contains(where: { $0.count < parts.count }) { return nil }
        var ranges: [KeyRange] = []
        var mustRecheck = false
        for first in combinations {
            for last in last.map({ $0.map { Optional($0.keyPartRange) } }) ?? [nil] {
                if index.appendRanges(parts: first, last: last, to: &ranges) { mustRecheck = true }
            }
        }
        let scan = IndexScan(
            index: index, ranges: Self.merged(ranges),
            conditions: touched.count == conditions.count ? conditions : conditions.indices.filter(touched.contains).map { conditions[$0] },
            mustRecheck: mustRecheck, fixedParts: fixedParts, skipped: leading.count)
        let isWhole = last == nil && combinations.first?.count == parts.count
        // Entries with nil, or of no members, have their records' keys behind the parts: of them there can be many.
        let isUnique = index.schema.isUnique && isWhole && combinations.allSatisfy { $0.allSatisfy { $0.first == KeyPart.present } }
        return Proposal(
            scan: scan, answered: mustRecheck ? ConditionSet() : answered, order: index.schema.kind.isBlind ? nil : try order(of: scan), isUnique: isUnique)
    }

    /// Whether the ranges are not too many that some intervals of a part make, behind each combination of the parts before it and at each path of a slice.
    private static func areFew(_ intervals: [PartIntervals.Interval], _ combinations: Int, _ places: Int) -> Bool {
        // The values of one condition, or the paths of one value, are bounded by the query and by the limit of paths.
        if combinations == 1, places == 1 || intervals.count <= 1 { return true }
        return combinations * intervals.count * places <= maxRanges
    }

    /// What is found behind first parts that no condition is on, where these have few values: the index is sought for each of them.
    func skippingProposals(_ indexes: [IndexBinding]) throws -> [Proposal] {
        try indexes.compactMap { index in
            guard index.schema.kind.isOrdered, index.fields.parts.count > 1, try intervals(of: index.fields.parts[0], conditions) == nil,
                try intervals(of: index.fields.parts[1], conditions) != nil
            else { return nil }
            let scan = IndexScan(index: index, ranges: [.all], conditions: [], mustRecheck: false, fixedParts: 0)
            let walk = DistinctWalk(transaction, model, scan, index.fields.parts[0].part.path, watch)
            guard let leading = try walk?.parts(upTo: Self.maxSkipped), !leading.isEmpty else { return nil }
            return try proposal(index, conditions, leading: leading)
        }
    }

    /// How much a plan has to cost before the values of first parts are looked at: about as much as that costs.
    var costOfSkipping: Double { costs.start * Double(Self.maxSkipped) }

    /// An index read from end to end, for its order; nil when that is of no use.
    func ordered(_ index: IndexBinding) throws -> Proposal? {
        let scan = IndexScan(index: index, ranges: [.all], conditions: [], mustRecheck: false, fixedParts: 0)
        guard index.schema.kind.isOrdered, index.slice == nil, let order = try order(of: scan), !order.criteria.isEmpty else { return nil }
        return Proposal(scan: scan, answered: ConditionSet(), order: order, isUnique: false)
    }

    /// What a proposal finds, with a look at the index. Of few entries the keys are kept, so that they are not read again.
    func candidate(_ proposal: Proposal) throws -> Candidate {
        var scan = proposal.scan
        if proposal.isEmpty { return Candidate(access: Access(.nothing, estimatedRows: 0, cost: 0), answered: ConditionSet()) }
        var rows = Double(scan.ranges.count)
        var cost = rows * costs.start
        if !proposal.isUnique {
            let (estimate, keys) = try look(scan)
            (rows, scan.found) = (estimate, keys)
            if keys != nil { cost = 0 }
        }
        if scan.found == nil { cost += rows * costs.entry }
        return Candidate(
            access: Access(.index(scan), estimatedRows: rows, cost: cost), answered: proposal.answered, order: proposal.order)
    }

    /// An index read from end to end, when the number of its entries is known.
    func candidate(ordered proposal: Proposal, total: Double) -> Candidate {
        Candidate(
            access: Access(.index(proposal.scan), estimatedRows: total, cost: total * costs.entry), answered: ConditionSet(), order: proposal.order)
    }

    /// About how many entries a scan meets, and the record keys of all of them when they are few.
    private func look(_ scan: IndexScan) throws -> (rows: Double, found: KeyList?) {
        var keys = KeyList()
        var rows = 0
        var areAll = true
        let count = scan.ranges.count
        let looks = min(count, Self.maxEstimates)
        for look in 0..<looks {
            // From end to end: the least of many values may be rarer than the others.
            let range = scan.ranges[looks < 2 ? 0 : look * (count - 1) / (looks - 1)]
            let before = keys.count
            if try transaction.gatherFew(range, in: scan.index, into: &keys) {
                rows += keys.count - before
            } else {
                areAll = false
                rows += try transaction.estimateMany(range, in: scan.index)
            }
        }
        // What was not looked at may have something, also where all others had nothing.
        guard looks == count else { return (max(1, Double(rows) * Double(count) / Double(looks)), nil) }
        return (Double(rows), areAll ? keys : nil)
    }

    struct FoundIntervals {
        var intervals: [PartIntervals.Interval]
        var arePoints: Bool
        var touched = ConditionSet()
        var answered = ConditionSet()
    }

    /// The values of a part that the conditions allow; nil when they say nothing of it.
    func intervals(of part: IndexFields.Part, _ conditions: [Filter]) throws -> FoundIntervals? {
        let matcher = PartMatcher(path: part.part.path, type: part.type, folding: part.part.ignoring, members: part.members, slice: part.slice)
        return try intervals(of: matcher, conditions)
    }

    func intervals(of part: PartMatcher, _ conditions: [Filter]) throws -> FoundIntervals? {
        var all: PartIntervals?
        var found = FoundIntervals(intervals: [], arePoints: false)
        for (number, condition) in conditions.enumerated() {
            guard let intervals = try part.intervals(condition) else { continue }
            // Two conditions on members may be met by two members, which are two entries.
            if part.members != nil, let known = all {
                guard intervals.arePoints, !known.arePoints else { continue }
                (all, found.touched, found.answered) = (nil, ConditionSet(), ConditionSet())
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
        if ranges.count == 1 { return ranges[0].isEmpty ? [] : ranges }
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
}
