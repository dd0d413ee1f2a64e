/// Keys in the order of an index.
///
/// Entries are in the order of their parts' bytes but for those whose parts were cut: these begin with the first bytes of the parts, and then
/// have a hash. So entries that agree in these first bytes form a group that is sorted by the records' own values. Groups are formed as well where equal parts
/// leave something to decide: ids, where the index has more parts than the sort or is read backwards, and criteria that it does not have.
extension QueryRun {
    /// What is done with a key, and with its entry where it is at hand.
    typealias WalkBody = (_ key: RawSpan, _ entry: IndexEntry?) throws -> ScanStep

    /// Groups up to this size are gathered and turned round when an index is read backwards; larger ones are read again forwards.
    private static let maxTurned = 1_024

    /// Calls `body` with the keys that a scan finds behind the start, in the query's order.
    ///
    /// - Parameters:
    ///   - reach: how many keys `body` takes at the most; nil when that is not known.
    ///   - keepingEntries: whether entries are wanted with the keys, also of those that are not met in the query's order.
    func walk(_ scan: IndexScan, _ order: IndexOrder, upTo reach: Int? = nil, keepingEntries: Bool = false, _ body: WalkBody) throws {
        guard let keyspace = try transaction.indexKeyspace(scan.index) else { return }
        scan.index.uses.add()
        var walk = IndexWalk(scan, order, start: start, sort: start.map { _ in sortLayout }, keepsEntries: keepingEntries)
        for range in order.order == .ascending ? scan.ranges : scan.ranges.reversed() {
            var rest = walk.clipped(range)
            while !rest.isEmpty {
                let step = try walkGroups(rest, keyspace, &walk, reach, body)
                if step == .stop { return }
                guard let group = walk.takeLargeGroup() else { break }
                if try walkForward(group, in: rest, keyspace, walk, body) == .stop { return }
                rest = KeyRange(from: rest.lower, upTo: group)
            }
        }
        // A group may go on in the next range, where these are told apart by parts that are not of the order.
        _ = try hand(walk.takeGroup(), walk, body)
    }

    private var sortLayout: PartLayout { PartLayout(zip(encoder.types, query.sort).map { ($0, $1.direction) }) }

    /// Reads a range until its end, or until a group turns out to be large.
    private func walkGroups(
        _ range: KeyRange, _ keyspace: Keyspace, _ walk: inout IndexWalk, _ reach: Int?, _ body: WalkBody
    ) throws -> ScanStep {
        var result = ScanStep.next
        let step = plan.access.number
        try reader.scan(range, in: keyspace, order: walk.order.order) { key, value in
            rows[step] += 1
            try watch.step()
            let entry = try IndexEntry.readable(key, value, of: walk.scan.index)
            if walk.begins(entry) {
                result = try hand(walk.takeGroup(), walk, body)
                if result == .stop { return .stop }
            }
            if walk.isDirect(entry) {
                if !walk.isBehindStart(entry) { return .next }
                result = try body(entry.recordKey.bytes, entry)
                return result
            }
            walk.add(entry)
            try walk.cutGroup(to: reach) { try transaction.sortedByID($0, of: model, .ascending, behind: $1 ? start?.key : nil, watch) }
            return walk.isTooLargeToTurn(Self.maxTurned) ? .stop : .next
        }
        if result == .stop || walk.hasLargeGroup { return result }
        return .next
    }

    /// Reads the entries of one group ascending by key.
    private func walkForward(
        _ group: [UInt8], in range: KeyRange, _ keyspace: Keyspace, _ walk: IndexWalk, _ body: WalkBody
    ) throws -> ScanStep {
        var result = ScanStep.next
        let step = plan.access.number
        try reader.scan(walk.forwardRange(of: group), in: keyspace) { key, value in
            rows[step] += 1
            try watch.step()
            let entry = try IndexEntry.readable(key, value, of: walk.scan.index)
            guard walk.isBehindStart(entry) else { return .next }
            result = try body(entry.recordKey.bytes, entry)
            return result
        }
        return result
    }

    /// Hands on the keys of a group in the right order.
    private func hand(_ group: IndexWalk.Group?, _ walk: IndexWalk, _ body: WalkBody) throws -> ScanStep {
        guard var group else { return .next }
        if let entries = group.entries {
            let start = group.isAtStart ? start?.key : nil
            return try entries.forEachByKey { entry in
                let key = entry.recordKey.bytes
                if let start, key.compare(to: start) <= 0 { return .next }
                return try body(key, entry)
            }
        }
        guard group.needsValues else {
            group.keys.sortUniquely()
            if model.binding.hasLongIDs {
                return try transaction.sortedByID(group.keys, of: model, .ascending, behind: group.isAtStart ? start?.key : nil, watch)
                    .forEach { try body($0, nil) }
            }
            guard group.isAtStart, let start else { return try group.keys.forEach { try body($0, nil) } }
            return try group.keys.forEach { $0.compare(to: start.key) > 0 ? try body($0, nil) : .next }
        }
        var buffer = SortBuffer()
        try forEachPlace(of: group.keys) { place, sortSize, _ in buffer.append(place, sortSize: sortSize, record: nil) }
        rows.sorted += buffer.count
        try buffer.sort(&watch)
        return try buffer.forEach { key, _ in try body(key, nil) }
    }
}
