/// Scans of records that several threads read, each making a part of the result.
extension ReadTransaction {
    /// Makes a part of a result: calls `forEachRecord` with what is done with each record, in a transaction that may be another thread's.
    ///
    /// `expected` is how many records there are to be, 0 where that is not known.
    @usableFromInline typealias PartReading<Part> = @Sendable (
        _ transaction: ReadTransaction, _ model: OpenModel, _ expected: Int,
        _ forEachRecord: (_ visit: (_ key: RawSpan, _ record: RawSpan) throws -> Void) throws -> Void
    ) throws -> Part

    /// Reads the records of a range that pass a filter on several threads; nil when that cannot be done, or something went wrong.
    ///
    /// - Parameters:
    ///   - isOrdered: whether the records have to come in the order of their ids: then long ids, which are not in the order of their keys, cannot be read so.
    ///   - readsRecords: whether `read` looks at the records.
    /// - Returns: the parts in the order of their records, what the scan has met, and how many threads have read it.
    /// - Throws: as ``readShared(_:in:_:_:)``.
    func readParts<Part>(
        of range: KeyRange, _ model: OpenModel, passing conditions: Filter, _ watch: ReadWatch, isOrdered: Bool, readsRecords: Bool = true,
        _ read: @escaping PartReading<Part>
    ) throws -> (parts: [Part], rows: RecordRows, threads: Int)? {
        guard let keyspace = model.keyspace else { return nil }
        let binding = model.binding
        let checksOrder = isOrdered && binding.hasLongIDs
        let shared = try readShared([range], in: keyspace, watch) { transaction, watch in
            let model = OpenModel(type: binding.type, binding: binding, keyspace: try transaction.reader.keyspace(named: binding.schema.name), pipeline: nil)
            let filter = conditions == .constant(true) ? nil : try CompiledFilter(conditions, in: binding, asking: transaction, watch)
            return { piece -> (part: Part, rows: RecordRows) in
                var scan = try RecordScan(transaction, model, conditions, filter)
                let part = try read(transaction, model, 0) { visit in
                    try piece.forEachRange { range, pace in
                        try scan.read(range, .ascending, isOrdered: false, readsRecords: readsRecords, &pace) { key, record in
                            if checksOrder, key.byteCount >= RecordKey.keptSize { throw UnsharedScan() }
                            try visit(key, record)
                            return .next
                        }
                    }
                }
                return (part, scan.rows)
            }
        }
        guard let shared else { return nil }
        let rows = shared.parts.reduce(into: RecordRows()) { sum, part in
            sum.met += part.rows.met
            sum.matches += part.rows.matches
        }
        return (shared.parts.map(\.part), rows, shared.threads)
    }

    /// Makes the result of a query of parts: of one, or of several that different threads have made, in the query's order.
    @usableFromInline func readRecords<Part>(of model: OpenModel, _ draft: QueryDraft, _ read: @escaping PartReading<Part>) throws -> RecordParts<Part> {
        if draft.isPlain {
            // All objects are put into one array: several threads take as long for it as one, and together nearly twice the processor time.
            try watch.look()
            return .one(try read(self, model, countAtHand(of: model)) { visit in
                try forEachRecord(of: model, draft) { key, record in
                    try visit(key, record)
                    return .next
                }
            })
        }
        if let lookup = try PointLookup(self, model, draft) {
            return .one(try read(self, model, lookup.keys.count) { visit in
                try lookup.forEachRecord(self, model) { key, record in
                    try visit(key, record)
                    return .next
                }
            })
        }
        let run = try QueryRun(self, model, draft, .records)
        // Lazy values and objects of a context keep to the transaction that they are read in, and live objects share a lock.
        let mayShare = reading == nil && !model.hasLazyFields && !model.isLive
        if mayShare, draft.isWhole, let parts = try run.readParts(isOrdered: true, read) { return RecordParts(parts) }
        return .one(try read(self, model, 0) { visit in
            try run.forEachRecord { key, record in
                try visit(key, record)
                return .next
            }
        })
    }

    /// How many objects of a model there are, where the engine knows without counting, otherwise 0. A damaged file may tell any number: no more than a million.
    private func countAtHand(of model: OpenModel) throws -> Int {
        let capabilities = core.capabilities
        guard let keyspace = model.keyspace, capabilities.countsInConstantTime, !capabilities.isRemote else { return 0 }
        return min(max(0, try reader.count(in: keyspace)), 1 << 20)
    }
}

extension QueryRun {
    /// As ``ReadTransaction/readParts(of:_:passing:_:isOrdered:readsRecords:_:)`` for all records that pass the query's filter, wherever it begins and ends;
    /// nil also when it is no scan of records.
    func readParts<Part>(isOrdered: Bool, readsRecords: Bool = true, _ read: @escaping ReadTransaction.PartReading<Part>) throws -> [Part]? {
        guard case .records(let range) = plan.access.kind, !isOrdered || plan.arrangement == .key(.ascending),
            let (parts, rows, threads) = try transaction.readParts(
                of: range, model, passing: plan.residual, watch, isOrdered: isOrdered, readsRecords: readsRecords, read)
        else { return nil }
        self.rows.add(rows, to: plan.access.number)
        self.rows.threads = threads
        return parts
    }
}

extension QueryRun {
    /// How many records pass the filter, when several threads can count them; nil otherwise.
    func sharedCount(isOrdered: Bool) throws -> Int? {
        try readParts(isOrdered: isOrdered, readsRecords: false) { _, _, _, forEachRecord in
            var count = 0
            try forEachRecord { _, _ in count += 1 }
            return count
        }?.reduce(0, +)
    }
}

/// A result as one thread has made it, or as several have.
@usableFromInline enum RecordParts<Part> {
    case one(Part)
    case several([Part])

    init(_ parts: [Part]) {
        self = parts.count == 1 ? .one(parts[0]) : .several(parts)
    }
}

extension RecordParts where Part: RangeReplaceableCollection {
    /// The elements of all parts, one part after the other.
    @inlinable var joined: Part {
        switch self {
        case .one(let part): return part
        case .several(let parts):
            var joined = Part()
            joined.reserveCapacity(parts.reduce(0) { $0 + $1.count })
            for part in parts { joined.append(contentsOf: part) }
            return joined
        }
    }
}
