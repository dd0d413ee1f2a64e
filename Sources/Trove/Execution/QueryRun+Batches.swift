/// Keys of records that may be results, in batches.
extension QueryRun {
    /// Calls `body` with the keys that the access finds behind the start, in the query's order.
    ///
    /// - Parameter window: the results wanted, where each key is a result; nil when records have to be looked at first.
    func forEachBatch(window: ResultWindow?, _ body: (KeyList) throws -> ScanStep) throws {
        let takesAll = window == nil || !query.hasWindow
        if takesAll, plan.order == nil, plan.arrangement == .key(.ascending), start == nil, !model.binding.hasLongIDs {
            return try forEachUnorderedBatch(body)
        }
        var batcher = KeyBatcher(window, waitsForAnswers: try reader.prefetches)
        try forEachKeyInOrder(upTo: window?.reach) { try batcher.add($0, body) }
        try batcher.finish(body)
    }

    /// Calls `body` with the keys that the access finds, each once, ascending.
    func forEachUnorderedBatch(_ body: (KeyList) throws -> ScanStep) throws {
        let keys = try gather(plan.access)
        if keys.count <= KeyBatcher.maxSize {
            if !keys.isEmpty { _ = try body(keys) }
            return
        }
        var batcher = KeyBatcher(nil, waitsForAnswers: try reader.prefetches)
        try keys.forEach { try batcher.add($0, body) }
        try batcher.finish(body)
    }

    private func forEachKeyInOrder(upTo reach: Int?, _ body: (RawSpan) throws -> ScanStep) throws {
        if case .index(let scan) = plan.access.kind, let order = plan.order { return try walk(scan, order, upTo: reach) { key, _ in try body(key) } }
        var keys = try gather(plan.access)
        let order: ScanOrder = plan.arrangement == .key(.descending) ? .descending : .ascending
        if model.binding.hasLongIDs {
            _ = try transaction.sortedByID(keys, of: model, order, behind: start?.key, watch).forEach(body)
            return
        }
        if order == .descending { keys.reverse() }
        guard let start else {
            try keys.forEach(body)
            return
        }
        try keys.forEach { key in
            let place = key.compare(to: start.key)
            return (order == .ascending ? place > 0 : place < 0) ? try body(key) : .next
        }
    }

    /// All keys that a step finds, sorted, each once.
    func gather(_ access: Access) throws -> KeyList {
        let keys: KeyList
        switch access.kind {
        case .nothing: keys = KeyList()
        case .lookups(let known): keys = known
        case .records(let range): keys = try scanKeys(range)
        case .index(let scan): return try gatherEntries(scan, access.number)
        case .words(let scan): keys = try gatherWords(scan)
        case .intersection(let parts):
            var common = try gather(parts[0])
            for part in parts.dropFirst() where !common.isEmpty { common = common.intersection(try gather(part)) }
            keys = common
        case .union(let parts):
            let found = try parts.map { try gather($0) }
            keys = KeyList.union(found)
            if !access.findsRecords {
                let isOfIndex = parts.map(\.findsRecords)
                let named = KeyList.union(zip(found, isOfIndex).filter { !$1 }.map(\.0))
                namedAlone[access.number] = named.subtracting(KeyList.union(zip(found, isOfIndex).filter { $1 }.map(\.0)))
            }
        }
        rows[access.number] += keys.count
        return keys
    }

    private func gatherEntries(_ scan: IndexScan, _ step: Int) throws -> KeyList {
        var keys = scan.found ?? KeyList()
        if scan.found == nil { try forEachEntry(scan) { keys.append($0.recordKey) } } else { scan.index.uses.add() }
        rows[step] += keys.count
        keys.sortUniquely()
        return keys
    }

    /// Calls `body` with each entry of the ranges of a scan, in the order of the index.
    func forEachEntry(_ scan: IndexScan, _ body: (IndexEntry) throws -> Void) throws {
        guard let keyspace = try transaction.indexKeyspace(scan.index) else { return }
        scan.index.uses.add()
        for range in scan.ranges {
            try reader.scan(range, in: keyspace) { key, value in
                try watch.step()
                try body(IndexEntry.readable(key, value, of: scan.index))
                return .next
            }
        }
    }

    private func gatherWords(_ scan: WordScan) throws -> KeyList {
        var keys = KeyList()
        scan.index.uses.add()
        try scan.forEachKey(reader, watch) { key in
            try watch.step()
            keys.append(key)
            return .next
        }
        keys.sortUniquely()
        return keys
    }

    private func scanKeys(_ range: KeyRange) throws -> KeyList {
        var keys = KeyList()
        guard let keyspace = model.keyspace else { return keys }
        try reader.scanKeys(range, in: keyspace, order: .ascending, expecting: nil) { key in
            try watch.step()
            keys.append(key)
            return .next
        }
        return keys
    }

    /// How many keys the access finds, each of them a result, without reading records; nil when it cannot tell.
    ///
    /// - Parameter reach: how many are enough; nil for all.
    func countFromAccess(upTo reach: Int?) throws -> Int? {
        guard let keyspace = model.keyspace else { return 0 }
        switch plan.access.kind {
        case .nothing: return 0
        case .records(.all):
            let counts = transaction.core.capabilities.countsInConstantTime
            if let reach, !counts { return try countKeys(.all, keyspace, upTo: reach) }
            return try transaction.countObjects(model)
        case .records(let range): return try countKeys(range, keyspace, upTo: reach)
        case .index(let scan) where scan.findsEachOnce: return try countEntries(scan, upTo: reach)
        case .words(let scan):
            guard let count = try scan.count(reader, watch) else { return nil }
            scan.index.uses.add()
            rows[plan.access.number] += count
            return count
        case .index, .intersection, .union: return plan.access.findsRecords ? try gather(plan.access).count : nil
        case .lookups: return nil
        }
    }

    private func countEntries(_ scan: IndexScan, upTo reach: Int?) throws -> Int {
        guard let keyspace = try transaction.indexKeyspace(scan.index) else { return 0 }
        scan.index.uses.add()
        var count = 0
        for range in scan.ranges where count < reach ?? .max {
            count += try countKeys(range, keyspace, upTo: reach.map { $0 - count })
        }
        rows[plan.access.number] += count
        return count
    }

    /// Counts the entries of a range, as many as wanted.
    func countKeys(_ range: KeyRange, _ keyspace: Keyspace, upTo reach: Int?) throws -> Int {
        guard let reach else { return try reader.count(of: range, in: keyspace) }
        var count = 0
        try reader.scanKeys(range, in: keyspace, order: .ascending, expecting: reach) { _ in
            try watch.step()
            count += 1
            return count == reach ? .stop : .next
        }
        return count
    }
}

/// Makes batches of keys that come one by one, small ones first, so that a reader that stops early has not made the store read much.
struct KeyBatcher {
    static let maxSize = 1_024
    private static let firstSize = 32

    private var window: ResultWindow?
    private var batch = KeyList()
    private var size: Int
    private var isStopped = false

    /// - Parameters:
    ///   - window: the results to pass on, where each key is a result; nil when that is not known yet.
    ///   - waitsForAnswers: whether a batch costs a round trip, whatever its size.
    init(_ window: ResultWindow?, waitsForAnswers: Bool) {
        size = waitsForAnswers ? Self.maxSize : Self.firstSize
        self.window = window
    }

    /// Adds a key, and hands the batch to `body` when it is full.
    @inline(__always)
    mutating func add(_ key: RawSpan, _ body: (KeyList) throws -> ScanStep) throws -> ScanStep {
        if window != nil {
            let step = window?.pass {
                batch.append(key)
                return .next
            }
            // The last one of the window is in the batch, which `finish` hands on.
            if step == .stop { return .stop }
        } else {
            batch.append(key)
        }
        guard batch.count >= size else { return .next }
        size = min(Self.maxSize, size * 2)
        return try flush(body)
    }

    /// Hands on what is left, unless `body` has had enough.
    mutating func finish(_ body: (KeyList) throws -> ScanStep) throws {
        if !batch.isEmpty, !isStopped { _ = try flush(body) }
    }

    private mutating func flush(_ body: (KeyList) throws -> ScanStep) throws -> ScanStep {
        let step = try body(batch)
        isStopped = step == .stop
        batch.removeAll()
        return step
    }
}
