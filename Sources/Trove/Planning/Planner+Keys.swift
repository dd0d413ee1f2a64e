/// What the records' own keys find, which are the ids: by conditions on the id, and on the fields that it is made of.
extension Planner {
    /// How many look-ups are done before a range of ids is read instead.
    private static let maxLookups = 10_000
    /// How many keys of a range are counted; a range of more is large, however much.
    private static let maxCounted = 256

    /// Look-ups or a range of the ids that the conditions allow; nil when they say nothing of ids.
    func identifiedAccess(_ conditions: [Filter]) throws -> Candidate? {
        if conditions.isEmpty { return nil }
        let natural = model.binding.naturalKey
        if let type = model.binding.idType {
            let part = PartMatcher(path: model.binding.idPath, or: natural?.parts[0].path, type: type.unwrapped, folding: [], members: nil, idType: type)
            guard let beginning = try intervals(of: part, conditions) else { return nil }
            return try access(byKeyOf: [part], beginning, isWhole: true, conditions)
        }
        if let named = keyedAccess(conditions) { return named }
        guard let natural else { return nil }
        let parts = natural.parts.map {
            PartMatcher(path: $0.path, type: $0.type.unwrapped, folding: [], members: nil, idType: $0.type)
        }
        guard let beginning = try intervals(of: parts[0], conditions) else { return nil }
        return try access(byKeyOf: parts, beginning, isWhole: natural.isWhole, conditions)
    }

    /// The keys whose parts the conditions allow.
    ///
    /// - Parameters:
    ///   - beginning: what they allow of the first part.
    ///   - isWhole: whether the key ends behind the parts.
    private func access(byKeyOf parts: [PartMatcher], _ beginning: FoundIntervals, isWhole: Bool, _ conditions: [Filter]) throws -> Candidate? {
        var prefixes: [[UInt8]] = [[]]
        var last: [PartIntervals.Interval]?
        var (touched, answered) = (ConditionSet(), ConditionSet())
        var pointCount = 0
        for position in parts.indices {
            guard let found = try position == 0 ? beginning : intervals(of: parts[position], conditions) else { break }
            touched.formUnion(found.touched)
            answered.formUnion(found.answered)
            if found.intervals.isEmpty { return Candidate(access: Access(.nothing, estimatedRows: 0, cost: 0), answered: ConditionSet()) }
            guard found.arePoints, prefixes.count * found.intervals.count <= Self.maxLookups else {
                last = found.intervals
                break
            }
            prefixes = prefixes.flatMap { prefix in found.intervals.map { prefix + $0.lower } }
            pointCount += 1
        }
        guard let first = prefixes.first, let end = prefixes.last else { return nil }
        // Of a shortened key only the beginning is in order.
        let longest = last?.reduce(0) { max($0, $1.lower.count, $1.upper?.count ?? 0) } ?? 0
        let isShort = (prefixes.lazy.map(\.count).max() ?? 0) + longest < StorageLimits.maxKeySize - 16
        let named = conditionsByName(touched, conditions)
        if last == nil, isWhole, pointCount == parts.count {
            var keys = KeyList()
            for prefix in prefixes { RecordKey(prefix).bytes.withUnsafeBytes { keys.append($0) } }
            keys.sortUniquely()
            let access = Access(.lookups(keys), estimatedRows: Double(keys.count), cost: costs.start, named: named)
            return Candidate(access: access, answered: isShort ? answered : ConditionSet())
        }
        let lower = last.map { first + $0[0].lower } ?? first
        let upper = last.map { $0[$0.count - 1].upper.map { end + $0 } ?? KeyRange.prefix(end).upper } ?? KeyRange.prefix(end).upper
        let range = KeyRange(from: isShort ? lower : [], upTo: isShort ? upper : nil)
        let isExact = isShort && prefixes.count == 1 && (last?.count ?? 1) == 1
        return Candidate(access: Access(.records(range), estimatedRows: 0, cost: costs.start, named: named), answered: isExact ? answered : ConditionSet())
    }

    /// Those of the conditions that are on fields which the ids are made of.
    private func conditionsByName(_ touched: ConditionSet, _ conditions: [Filter]) -> [Filter] {
        guard let natural = model.binding.naturalKey else { return [] }
        return conditions.indices.lazy.filter { touched.contains($0) && conditions[$0].ownPaths.contains(where: natural.hasField) }.map { conditions[$0] }
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

    /// The number of records in the range of a candidate when they are few; nil when they are many, or each look takes a round trip.
    func fewRecords(in candidate: Candidate) throws -> Double? {
        guard case .records(let range) = candidate.access.kind, let keyspace = model.keyspace, !transaction.core.capabilities.isRemote else { return nil }
        var count = 0
        try transaction.reader.scanKeys(range, in: keyspace, order: .ascending, expecting: Self.maxCounted) { _ in
            count += 1
            return count == Self.maxCounted ? .stop : .next
        }
        return count < Self.maxCounted ? Double(count) : nil
    }
}

extension NaturalKey {
    /// The direction in which keys are in the order of some criteria, ties by id; nil when that is another order.
    ///
    /// - Parameters:
    ///   - isID: whether a criterion is the order of the ids.
    ///   - isFixed: whether all objects in question have one value in a field.
    func direction(of criteria: [SortKey], isID: (SortKey) -> Bool, isFixed: (FieldPath) -> Bool) -> SortDirection? {
        var direction: SortDirection?
        var position = 0
        for key in criteria where !(hasField(key.path) && isFixed(key.path)) {
            guard direction == nil || direction == key.direction else { return nil }
            direction = key.direction
            // No two objects share an id, so nothing behind it decides.
            if isID(key) { return direction }
            while position < parts.count, parts[position].path != key.path, isFixed(parts[position].path) { position += 1 }
            guard position < parts.count, parts[position].path == key.path, key.ignoring.isEmpty else { return nil }
            position += 1
        }
        guard direction == .descending else { return .ascending }
        // What is equal so far comes ascending by id.
        return isWhole && parts[position...].allSatisfy { isFixed($0.path) } ? .descending : nil
    }
}
