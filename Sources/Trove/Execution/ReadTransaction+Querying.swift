extension ReadTransaction {
    /// The model of a query: that of the type, or, of documents, the collection that the query names.
    @usableFromInline func open(_ type: any Model.Type, _ draft: QueryDraft) throws -> OpenModel {
        type == Document.self ? try openCollection(named: draft.query.model) : try open(type)
    }
}

extension WriteTransaction {
    /// The same where records are to be replaced.
    @usableFromInline func openForChanging(_ type: any Model.Type, _ draft: QueryDraft) throws -> OpenModel {
        type == Document.self ? try openCollection(named: draft.query.model) : try openForChanging(type)
    }
}

/// Queries of objects, for what is generic over the model.
extension ReadTransaction {
    /// Calls `body` with the key and record of each result of a query, in order, until it returns ``ScanStep/stop``.
    ///
    /// - Parameter mayChange: whether `body` may change the store.
    @usableFromInline func forEachRecord(
        of model: OpenModel, _ draft: QueryDraft, mayChange: Bool = false,
        _ body: (_ key: RawSpan, _ record: RawSpan) throws -> ScanStep
    ) throws {
        if draft.isPlain {
            var watch = watch
            try watch.look()
            return try scanInIDOrder(.all, of: model, .ascending, behind: nil, watch) { key, record in
                try watch.step()
                return try body(key, record)
            }
        }
        if !mayChange || !(self is WriteTransaction), let lookup = try PointLookup(self, model, draft) { return try lookup.forEachRecord(self, model, body) }
        try QueryRun(self, model, draft, .records).forEachRecord(mayChange: mayChange, body)
    }

    /// As above with a page of the results, and returns the token of the next page; nil when there are no more.
    @usableFromInline func forEachRecord(
        of model: OpenModel, _ draft: QueryDraft, pageSize: Int, _ body: (_ key: RawSpan, _ record: RawSpan) throws -> ScanStep
    ) throws -> ContinuationToken? {
        guard pageSize > 0 else { throw TroveError.invalidQuery(reason: "a page has \(pageSize) objects, but must have 1 or more") }
        let size = min(pageSize, draft.query.limit ?? pageSize, .max - 1)
        var draft = draft
        // The offset was passed over before the first page.
        if draft.start != nil { draft.change { $0.offset = 0 } }
        // One more than wanted tells whether there is another page; of no objects there is none.
        if size > 0 { draft.change { $0.limit = size + 1 } }
        let run = try QueryRun(self, model, draft, .records)
        var count = 0
        var last: QueryPlace?
        var hasMore = false
        try run.forEachRecord { key, record in
            if count == size {
                hasMore = true
                return .stop
            }
            count += 1
            if count == size { last = try run.place(key, record) }
            return try body(key, record)
        }
        guard hasMore, let last else { return nil }
        return try ContinuationToken(last, of: QueryFingerprint.of(run.query, in: model.binding.schema, sortedBy: run.encoder), sealer: core.tokenSealer)
    }

    func countResults(_ type: any Model.Type, _ draft: QueryDraft) throws -> Int {
        try countResults(of: open(type, draft), draft)
    }

    func countResults(of model: OpenModel, _ draft: QueryDraft) throws -> Int {
        if draft.isPlain { return try countObjects(model) }
        if let count = try PointLookup.count(self, model, draft) { return count }
        return try QueryRun(self, model, draft, .count).count()
    }

    func objectIDs<Object: Model>(_ type: Object.Type, _ draft: QueryDraft) throws -> [Object.ID] {
        let model = try open(type, draft)
        if draft.isPlain, !model.binding.hasLongIDs { return try objectIDs(type, model) }
        let run = try QueryRun(self, model, draft, .keys)
        if draft.isWhole, !model.binding.hasLongIDs, let parts = try sharedIDs(type, run) { return parts }
        var ids: [Object.ID] = []
        try run.forEachKey { key in
            ids.append(try objectID(type, key, model))
            return .next
        }
        return ids
    }

    /// The ids of all objects that pass the filter, when several threads can find them; nil otherwise.
    private func sharedIDs<Object: Model>(_ type: Object.Type, _ run: QueryRun) throws -> [Object.ID]? {
        let parts = try run.readParts(isOrdered: true, readsRecords: false) { transaction, model, _, forEachRecord in
            var ids: [Object.ID] = []
            try forEachRecord { key, _ in ids.append(try transaction.objectID(type, key, model)) }
            return ids
        }
        return parts?.reduce(into: []) { $0 += $1 }
    }

    /// The id of the object with this record key, which is in the record alone when it is too long for a key.
    func objectID<Object: Model>(_ type: Object.Type, _ key: RawSpan, _ model: OpenModel) throws -> Object.ID {
        var whole = [UInt8](copying: key)
        if whole.count > RecordKey.maxWholeSize, let keyspace = model.keyspace {
            _ = try reader.get(key, in: keyspace) { whole = try storedRecord($0, key: key).key }
        }
        do {
            return try Object.ID(keyBytes: whole)
        } catch TroveError.corruptKey(let reason) {
            throw TroveError.corruptRecord(model: model.binding.schema.name, id: StoredRecord.text(of: whole), reason: reason)
        }
    }
}

extension ReadTransaction {
    /// - Parameters:
    ///   - running: whether to run the query too.
    ///   - body: what is done with each result then.
    func explain(
        _ type: any Model.Type, _ draft: QueryDraft, running: Bool, _ body: ((_ key: RawSpan, _ record: RawSpan) throws -> Void)? = nil
    ) throws -> Explanation {
        try explain(open(type, draft), draft, running: running, body)
    }

    func explain(
        _ model: OpenModel, _ draft: QueryDraft, behind place: QueryPlace? = nil, running: Bool,
        _ body: ((_ key: RawSpan, _ record: RawSpan) throws -> Void)? = nil
    ) throws -> Explanation {
        let run = try QueryRun(self, model, draft, .records, behind: place)
        guard running else { return try run.explained(results: nil) }
        if body == nil, draft.isWhole, let results = try run.sharedCount(isOrdered: true) { return try run.explained(results: results) }
        var results = 0
        try run.forEachRecord { key, record in
            results += 1
            try body?(key, record)
            return .next
        }
        return try run.explained(results: results)
    }
}
