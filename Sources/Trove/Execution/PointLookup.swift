/// What the most common query finds, without a plan: objects of which the id, or one property that has an index of its own, has one value.
///
/// To plan such a query takes longer than to answer it, and the planner comes to the same: it compares an index that finds few rows with nothing else. So a
/// lookup looks for few, and leaves a query that has more results to the planner.
struct PointLookup {
    /// The keys of the results, in their order.
    let keys: KeyList
    /// The index that has found them; nil of an id that was asked for.
    private let index: IndexBinding?

    /// - Returns: nil when the query is another one, or has many results.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` for a negative limit.
    init?(_ transaction: ReadTransaction, _ model: OpenModel, _ draft: QueryDraft) throws {
        guard let target = try Target(transaction, model, draft) else { return nil }
        var keys = KeyList()
        switch target {
        case .record(let key):
            keys.append(key.span.bytes)
            index = nil
        case .entries(let index, let range, let keyspace, let limit):
            let enough = min(limit, Planner.few + 1)
            try transaction.reader.scan(range, in: keyspace, order: .ascending) { key, value in
                keys.append(try IndexEntry.readable(key, value, of: index).recordKey)
                return keys.count == enough ? .stop : .next
            }
            if keys.count > Planner.few { return nil }
            // Which are the first, and in which order, entries of long ids do not tell.
            if keys.count > 1 || keys.count == limit, try !transaction.hasShortKeys(index) { return nil }
            index.uses.add()
            self.index = index
        }
        self.keys = keys
    }

    /// Calls `body` with the key and record of each result, in order, until it returns ``ScanStep/stop``.
    func forEachRecord(_ transaction: ReadTransaction, _ model: OpenModel, _ body: QueryRun.RecordBody) throws {
        guard let keyspace = model.keyspace else { return }
        let reader = try transaction.reader
        _ = try keys.forEach { key in
            var step = ScanStep.next
            let isFound = try reader.get(key, in: keyspace) { step = try body(key, $0) }
            if !isFound, let index { throw index.missingRecord(of: key) }
            return step
        }
    }

    /// How many results there are, told by the index alone; nil when it cannot tell, or there are many.
    static func count(_ transaction: ReadTransaction, _ model: OpenModel, _ draft: QueryDraft) throws -> Int? {
        guard case .entries(let index, let range, let keyspace, let limit) = try Target(transaction, model, draft) else { return nil }
        let enough = min(limit, Planner.few + 1)
        var count = 0
        try transaction.reader.scanKeys(range, in: keyspace, order: .ascending, expecting: enough) { _ in
            count += 1
            return count == enough ? .stop : .next
        }
        if count > Planner.few { return nil }
        index.uses.add()
        return count
    }
}

extension PointLookup {
    /// Where a query's results are.
    private enum Target {
        /// The one object that has the id, if there is one.
        case record([UInt8])
        /// The objects of entries of an index, in the order of these, as many as are wanted.
        case entries(IndexBinding, KeyRange, Keyspace, limit: Int)

        init?(_ transaction: ReadTransaction, _ model: OpenModel, _ draft: QueryDraft) throws {
            guard draft.problem == nil, draft.start == nil, draft.deadline == nil, draft.query.sort.isEmpty, draft.query.offset == 0,
                case .comparison(.path(let path), .equal, .value(let value), let ignoring) = draft.query.filter, ignoring.isEmpty, path.isOfWholeField
            else { return nil }
            let binding = model.binding
            let limit = try draft.checkedQuery().limit ?? .max
            if limit == 0 || transaction.core.capabilities.isRemote { return nil }
            if let type = binding.typeOfWholeID(at: path) {
                guard let key = RecordID.plainKey(of: value, type: type) else { return nil }
                try transaction.watch.look()
                self = .record(key)
                return
            }
            try transaction.flushIndexes()
            // The planner takes the first index that finds few.
            let index = try transaction.usableIndexes(of: binding).first { $0.schema.kind.hasPartEntries && $0.fields.parts[0].part.path == path }
            guard let index, index.isOfWholeValue, let part = KeyPartRange.plainPart(of: value, type: index.fields.parts[0].type) else { return nil }
            try transaction.watch.look()
            let range = index.entryRange(parts: [part])
            guard !range.needsRecheck, let keyspace = try transaction.indexKeyspace(index) else { return nil }
            self = .entries(index, range.keys, keyspace, limit: limit)
        }
    }
}

extension IndexBinding {
    /// Whether its entries are in the order of whole values of one path, and then in that of the record keys.
    fileprivate var isOfWholeValue: Bool {
        schema.kind.isOrdered && slice == nil && fields.parts.count == 1 && fields.parts[0].members == nil && fields.parts[0].part.ignoring.isEmpty
    }
}

extension ModelBinding {
    /// The type of the value at a path that is the id, or that ids are made of and nothing else; nil for other values.
    fileprivate func typeOfWholeID(at path: FieldPath) -> FieldType? {
        if path == idPath { return idType }
        guard let naturalKey, naturalKey.isWhole, naturalKey.parts.count == 1, naturalKey.parts[0].path == path else { return nil }
        return naturalKey.parts[0].type
    }
}
