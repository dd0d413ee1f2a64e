extension QueryRun {
    /// Calls `body` with the key and record of each result, in order, until it returns ``ScanStep/stop``.
    ///
    /// - Parameter mayChange: whether `body` may change the keyspaces that are read. What an index or a sort found is then
    ///   gathered first, and each record read and checked anew when its turn comes.
    func forEachRecord(mayChange: Bool = false, _ body: RecordBody) throws {
        var window = ResultWindow(query)
        guard !window.isClosed, model.keyspace != nil else { return }
        if mayChange, transaction is WriteTransaction, !plan.isLiveScan {
            let keys = try gatherKeys()
            return try forEachRecordAnew(keys, 0..<keys.count, body)
        }
        if residual == nil, plan.findsResults {
            // Keys that the window leaves out need no record.
            try forEachBatch(window: window) { keys in try fetch(keys, filter: nil, body) }
            return
        }
        try forEachMatch { key, record in try window.pass { try body(key, record) } }
    }

    /// Calls `body` with the key of each result, in order.
    func forEachKey(_ body: (RawSpan) throws -> ScanStep) throws {
        var window = ResultWindow(query)
        guard !window.isClosed, model.keyspace != nil else { return }
        if residual == nil, plan.findsResults {
            try forEachBatch(window: window) { try $0.forEach(body) }
            return
        }
        try forEachMatch { key, _ in try window.pass { try body(key) } }
    }

    /// The keys of the results, in order.
    func gatherKeys() throws -> KeyList {
        var keys = KeyList()
        try forEachKey { key in
            keys.append(key)
            return .next
        }
        return keys
    }

    /// How many results there are, those outside of the window left out.
    func count() throws -> Int {
        let window = ResultWindow(query)
        guard !window.isClosed, model.keyspace != nil else { return 0 }
        if start == nil, residual == nil, let count = try countFromAccess(upTo: window.reach) {
            return window.passing(count)
        }
        var count = 0
        let reach = window.reach ?? .max
        func visit(_: RawSpan, _: RawSpan) -> ScanStep {
            count += 1
            return count == reach ? .stop : .next
        }
        // Their order does not matter, but the place of a token has to be compared with.
        if start == nil { try forEachUnorderedMatch(visit) } else { try forEachMatch(visit) }
        return window.passing(count)
    }

    /// Calls `body` with the records of keys found before, as they are now, but for those that are gone or do not pass any more.
    func forEachRecordAnew(_ keys: KeyList, _ positions: Range<Int>, _ body: RecordBody) throws {
        guard let keyspace = model.keyspace else { return }
        for position in positions {
            let key = keys[position]
            var copy: [UInt8]?
            _ = try reader.get(key.span.bytes, in: keyspace) { copy = [UInt8](copying: $0) }
            guard let copy, try passes(filter, key: key.span.bytes, record: copy.span.bytes) else { continue }
            if try body(key.span.bytes, copy.span.bytes) == .stop { return }
        }
    }
}
