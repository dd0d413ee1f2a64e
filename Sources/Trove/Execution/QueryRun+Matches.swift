/// Records that pass the filter, before offset and limit.
extension QueryRun {
    /// Calls `body` with each match behind the start, in the query's order.
    func forEachMatch(_ body: RecordBody) throws {
        switch plan.arrangement {
        case .sort: try forEachSortedMatch(body)
        case .key, .index:
            if case .records(let range) = plan.access.kind {
                try scanRecords(range, plan.arrangement == .key(.descending) ? .descending : .ascending, isOrdered: true, body)
            } else {
                try forEachBatch(window: nil) { keys in try fetch(keys, filter: residual, body) }
            }
        }
    }

    /// Calls `body` with each match, wherever it is in the order.
    ///
    /// - Parameter readsRecords: whether `body` looks at the records.
    func forEachUnorderedMatch(readsRecords: Bool = true, _ body: RecordBody) throws {
        if case .records(let range) = plan.access.kind {
            try scanRecords(range, .ascending, isOrdered: false, readsRecords: readsRecords, body)
        } else {
            try forEachUnorderedBatch { keys in try fetch(keys, filter: residual, body) }
        }
    }

    /// Reads the records of a range in key order, in one pass.
    ///
    /// - Parameter isOrdered: whether key order is the query's, so that the scan can begin behind the start.
    private func scanRecords(_ range: KeyRange, _ order: ScanOrder, isOrdered: Bool, readsRecords: Bool = true, _ body: RecordBody) throws {
        guard model.keyspace != nil else { return }
        var scan = try RecordScan(transaction, model, plan.residual, residual)
        defer { rows.add(scan.rows, to: plan.access.number) }
        var watch = watch
        try scan.read(range, order, isOrdered: isOrdered, behind: isOrdered ? start?.key : nil, readsRecords: readsRecords, &watch, body)
    }

    /// Calls `body` with the record of each key, in the order of the keys, if it passes the filter; returns its last answer.
    func fetch(_ keys: KeyList, filter: CompiledFilter?, _ body: RecordBody) throws -> ScanStep {
        guard let keyspace = model.keyspace else { return .stop }
        var step = ScanStep.next
        try reader.getMany(keys, in: keyspace) { position, record in
            try keys.withKey(at: position) { key in
                guard let record else { return try throwMissing(key) }
                step = try visit(key, record, filter, body)
            }
            return step
        }
        return step
    }

    private func visit(_ key: RawSpan, _ record: RawSpan, _ filter: CompiledFilter?, _ body: RecordBody) throws -> ScanStep {
        rows.fetched += 1
        try watch.step()
        guard try passes(filter, key: key, record: record) else { return .next }
        rows.matches += 1
        return try body(key, record)
    }

    /// A key that an index gave has to have a record; an id that was asked for need not.
    func throwMissing(_ key: RawSpan) throws {
        guard let index = try index(in: plan.access, thatHas: key) else { return }
        throw index.missingRecord(of: key)
    }

    /// The index that has an entry of a key which a step has found; nil when none of its steps reads one.
    private func index(in access: Access, thatHas key: RawSpan) throws -> IndexBinding? {
        switch access.kind {
        case .nothing, .lookups, .records: return nil
        case .index(let scan): return scan.index
        case .words(let scan): return scan.index
        case .intersection(let parts):
            // Each of them has found it.
            for part in parts { if let index = try index(in: part, thatHas: key) { return index } }
        case .union(let parts):
            if let named = namedAlone[access.number], named.contains(key) { return nil }
            var sought = KeyList()
            sought.append(key)
            for part in parts where try !gather(part).intersection(sought).isEmpty {
                if let index = try index(in: part, thatHas: key) { return index }
            }
        }
        return nil
    }
}
