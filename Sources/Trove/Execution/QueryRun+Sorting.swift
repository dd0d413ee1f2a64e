extension QueryRun {
    /// Gathers the matches behind the start, sorts them and calls `body` with each.
    func forEachSortedMatch(_ body: RecordBody) throws {
        if let reach = ResultWindow(query).reach, reach <= ResultWindow.maxTop {
            try forEachTopMatch(reach, body)
        } else {
            try forEachOfAllSorted(body)
        }
    }

    private func forEachTopMatch(_ reach: Int, _ body: RecordBody) throws {
        let top: TopList
        if let shared = try sharedTop(max(1, reach)) {
            top = shared
        } else {
            var own = TopList(max(1, reach))
            try forEachPlace { place, sortSize, _ in own.offer(place, sortSize: sortSize) }
            top = own
        }
        let keys = top.sortedKeys()
        rows.sorted += keys.count
        _ = try fetchAgain(keys, body)
    }

    /// The first results as several threads find them in a scan; nil when they cannot.
    private func sharedTop(_ reach: Int) throws -> TopList? {
        // Several threads would each read the same objects behind references.
        guard sorted == nil else { return nil }
        let (sort, binding, start) = (query.sort, model.binding, start)
        let parts = try readParts(isOrdered: false) { transaction, model, _, forEachRecord in
            let encoder = try SortEncoder(sort, in: binding)
            var scratch = ByteWriter()
            var top = TopList(reach)
            try forEachRecord { key, record in
                try transaction.withPlace(key, record, model, encoder, nil, &scratch) { place, sortSize in
                    if let start, place.compare(to: start.bytes[...]) <= 0 { return }
                    top.offer(place, sortSize: sortSize)
                }
            }
            return top
        }
        guard let parts, var top = parts.first else { return nil }
        for part in parts.dropFirst() { top.offer(part) }
        return top
    }

    private func forEachOfAllSorted(_ body: RecordBody) throws {
        var buffer = SortBuffer()
        try forEachPlace { place, sortSize, record in buffer.append(place, sortSize: sortSize, record: record) }
        rows.sorted += buffer.count
        try buffer.sort(&watch)
        // Records that were not kept are read in batches, as many as follow each other.
        var batch = KeyList()
        let last = try buffer.forEach { key, record in
            if record == nil { batch.append(key) }
            if batch.count == KeyBatcher.maxSize || (record != nil && !batch.isEmpty) {
                let step = try fetchAgain(batch, body)
                batch.removeAll()
                if step == .stop { return .stop }
            }
            guard let record else { return .next }
            return try body(key, record)
        }
        if last == .next { _ = try fetchAgain(batch, body) }
    }

    /// Calls `body` with the record of each key; they passed the filter before and are counted already.
    func fetchAgain(_ keys: KeyList, _ body: RecordBody) throws -> ScanStep {
        let before = (rows.fetched, rows.matches)
        defer { (rows.fetched, rows.matches) = before }
        return try fetch(keys, filter: nil, body)
    }

    /// Calls `body` with the sort bytes and key of each match that is behind the start.
    ///
    /// - Parameter keys: those of the matches wanted, which passed the filter before; nil for all matches.
    func forEachPlace(of keys: KeyList? = nil, _ body: (_ place: RawSpan, _ sortSize: Int, _ record: RawSpan) -> Void) throws {
        var batch = ReferencingBatch(sorted, watch)
        func visit(_ key: RawSpan, _ record: RawSpan) throws -> ScanStep {
            try withPlace(key, record) { place, sortSize in
                if let start, place.compare(to: start.bytes[...]) <= 0 { return }
                body(place, sortSize, record)
            }
            return .next
        }
        func add(_ key: RawSpan, _ record: RawSpan) throws -> ScanStep { try batch.add(key, record, visit) }
        if let keys { _ = try fetchAgain(keys, add) } else { try forEachUnorderedMatch(add) }
        try batch.finish(visit)
    }

    /// Returns what `body` makes of the sort bytes and whole key of a record, in one piece; of one whose values behind references are at hand.
    private func withPlace<Result>(
        _ key: RawSpan, _ record: RawSpan, _ body: (_ place: RawSpan, _ sortSize: Int) throws -> Result
    ) throws -> Result {
        try transaction.withPlace(key, record, model, query.sort.isEmpty ? nil : encoder, sorted, &scratch, body)
    }

    /// The place of a record in the query's order.
    func place(_ key: RawSpan, _ record: RawSpan) throws -> QueryPlace {
        var place = QueryPlace([], sortSize: 0)
        func visit(_ key: RawSpan, _ record: RawSpan) throws -> ScanStep {
            place = try withPlace(key, record) { QueryPlace([UInt8](copying: $0), sortSize: $1) }
            return .next
        }
        var batch = ReferencingBatch(sorted, watch)
        _ = try batch.add(key, record, visit)
        try batch.finish(visit)
        return place
    }
}

extension ReadTransaction {
    /// Returns what `body` makes of the sort bytes and whole key of a record, in one piece.
    ///
    /// - Parameters:
    ///   - encoder: nil when ids alone make the order.
    ///   - referenced: has what of the sort is behind references; nil when nothing is.
    fileprivate func withPlace<Result>(
        _ key: RawSpan, _ record: RawSpan, _ model: OpenModel, _ encoder: SortEncoder?, _ referenced: ReferencedValues?,
        _ scratch: inout ByteWriter,
        _ body: (_ place: RawSpan, _ sortSize: Int) throws -> Result
    ) throws -> Result {
        scratch.count = 0
        if let encoder {
            try withRecordView(record, key: key, model) { view in
                if let referenced { try encoder.append(referenced.looking(view), to: &scratch) } else { try encoder.append(view, to: &scratch) }
            }
        }
        let sortSize = scratch.count
        if key.byteCount > RecordKey.maxWholeSize {
            // The order is that of the ids, of which such a key has but the first bytes.
            try withRecordView(record, key: key, model) { scratch.append(try $0.wholeKey) }
        } else {
            key.withUnsafeBytes { scratch.append($0) }
        }
        return try scratch.withBytes { try body($0, sortSize) }
    }
}
