/// One run of a query of several models in one transaction.
///
/// Results come in the order of the sort; equal ones model by model, in the order of the models' names, and within a model by id. Without a sort that is one
/// model after the other. Each model is read as a query of its own, with its own plan and indexes; sorted ones in batches that are merged.
struct MixedRun {
    /// What is done with a result: which model's it is, its sort bytes, and its key and record where they were read.
    typealias Body = (_ model: Int, _ sort: [UInt8], _ key: RawSpan, _ record: RawSpan) throws -> ScanStep

    private let transaction: ReadTransaction
    private let models: [OpenModel]
    private let draft: QueryDraft
    private let query: Query
    private let encoders: [SortEncoder]
    /// What of the sort is behind references of each model; nil of a model where nothing is.
    private let sorted: [ReferencedValues?]
    /// Whether all models have the sort's values in one type, so that the bytes of one are a place in the order of another.
    private let isUniform: Bool
    private let start: MixedPlace?
    private let watch: ReadWatch
    /// The filter for each model once what is behind references has been asked: all is read in one snapshot.
    private let filters: [Filter?]

    /// - Parameter models: in the order of their names.
    /// - Throws: what the building found wrong, and what the query's paths, values and token have wrong in one of the models.
    init(_ transaction: ReadTransaction, _ models: [OpenModel], _ draft: QueryDraft) throws {
        self.transaction = transaction
        self.models = models
        var draft = draft.begun
        let query = try draft.checkedQuery()
        self.query = query
        let sorts = try models.map { try transaction.encoder(of: query.sort, $0) }
        let encoders = sorts.map(\.0)
        sorted = sorts.map(\.1)
        let types = encoders.map(\.types)
        isUniform = types.allSatisfy { $0 == types.first && !$0.contains(nil) }
        self.encoders = isUniform ? encoders : encoders.map(\.acrossTypes)
        start = try draft.start.map { try MixedPlace($0.place(in: Self.fingerprint(of: query, in: models, encoders), sealer: transaction.core.tokenSealer)) }
        draft.start = nil
        self.draft = draft
        watch = draft.watch(heedsCancellation: !(transaction is WriteTransaction))
        // A mistake in one of the models is one whether or not the run comes to it.
        var filters = [Filter?](repeating: nil, count: models.count)
        for (index, model) in models.enumerated() where model.keyspace == nil || query.sort.isEmpty && index > 0 {
            filters[index] = try QueryRun(transaction, model, Self.draft(draft, of: model).limited(to: 0), .keys).conditions
        }
        self.filters = filters
    }

    /// How each of the models is read, in the order of their names.
    func explained(running: Bool) throws -> [Explanation] {
        try models.indices.map { index in
            let place = stream(of: index, reach: ResultWindow(query).reach)
            let draft = place.isAtEnd ? place.draft.limited(to: 0) : place.draft
            return try transaction.explain(models[index], draft, behind: place.last, running: running)
        }
    }

    /// The draft for one of the models alone.
    static func draft(_ draft: QueryDraft, of model: OpenModel) -> QueryDraft {
        var draft = draft
        draft.query.model = model.binding.schema.name
        return draft
    }

    /// Calls `body` with each result in order, until it returns ``ScanStep/stop``.
    func forEachRecord(_ body: Body) throws {
        if query.sort.isEmpty { try forEachInTurn(body) } else { try forEachMerged(body) }
    }

    /// Calls `body` with up to `size` results, and returns the token of the next page; nil when there are no more.
    func forEachRecord(pageSize: Int, _ body: Body) throws -> ContinuationToken? {
        var count = 0
        var last: MixedPlace?
        var hasMore = false
        try forEachRecord { model, sort, key, record in
            if count == pageSize {
                hasMore = true
                return .stop
            }
            count += 1
            if count == pageSize { last = try place(model, sort, key, record) }
            return try body(model, sort, key, record)
        }
        guard hasMore, let last else { return nil }
        return try ContinuationToken(last.queryPlace, of: Self.fingerprint(of: query, in: models, encoders), sealer: transaction.core.tokenSealer)
    }

    // MARK: - One model after the other

    private func forEachInTurn(_ body: Body) throws {
        var window = ResultWindow(query)
        for (index, model) in models.enumerated() where !window.isClosed && model.keyspace != nil {
            let place = stream(of: index, reach: window.reach)
            if place.isAtEnd { continue }
            var isStopped = false
            try QueryRun(transaction, model, place.draft, .records, behind: place.last, rewritten: place.rewritten).forEachRecord { key, record in
                let step = try window.pass { try body(index, [], key, record) }
                isStopped = step == .stop
                return step
            }
            if isStopped { return }
        }
    }

    /// What is read of a model: its draft, and the place behind which its results are.
    private func stream(of model: Int, reach: Int?) -> StreamPlace {
        var draft = Self.draft(draft, of: models[model])
        draft.query.offset = 0
        draft.query.limit = reach
        var place = StreamPlace(draft)
        place.rewritten = filters[model]
        guard let start else { return place }
        let order = start.compareModel(models[model].binding.schema.name)
        if query.sort.isEmpty {
            // One model after the other.
            place.isAtEnd = order < 0
            if order == 0 { place.last = QueryPlace(start.key, sortSize: 0) }
            return place
        }
        if isUniform {
            // Behind those that were given, or before all of another model's results that are equal to them.
            place.last = QueryPlace(start.sort + (order == 0 ? start.key : []), sortSize: start.sort.count)
        }
        // Results before the place that are met nevertheless are passed over, and do not count.
        if !isUniform || order != 0 { place.draft.query.limit = nil }
        return place
    }

    // MARK: - Merged

    private func forEachMerged(_ body: Body) throws {
        var window = ResultWindow(query)
        guard !window.isClosed else { return }
        var streams = models.indices.map { Stream(stream(of: $0, reach: window.reach)) }
        while let least = try leastModel(&streams), let row = try head(of: least, &streams[least]) {
            streams[least].position += 1
            let step = try window.pass {
                try row.key.withUnsafeBytes { key in try row.record.withUnsafeBytes { try body(least, row.sort, key.bytes, $0.bytes) } }
            }
            if step == .stop { return }
        }
    }

    /// A result that was read ahead.
    private struct Row {
        let sort: [UInt8]
        let key: [UInt8]
        let record: [UInt8]
    }

    /// The results of one model, of which a batch is read ahead.
    private struct Stream {
        var place: StreamPlace
        var rows: [Row] = []
        var position = 0
        /// Of each batch; later ones are larger.
        var size = 32

        init(_ place: StreamPlace) { self.place = place }
    }

    /// The model whose next result is the first of all; nil when there are no more.
    private func leastModel(_ streams: inout [Stream]) throws -> Int? {
        var least: (model: Int, sort: [UInt8])?
        for model in models.indices {
            guard let row = try head(of: model, &streams[model]) else { continue }
            if let least, row.sort.compare(to: least.sort) >= 0 { continue }
            least = (model, row.sort)
        }
        return least?.model
    }

    /// The next result of a model; nil when there are no more.
    private func head(of index: Int, _ stream: inout Stream) throws -> Row? {
        let model = models[index]
        while stream.position == stream.rows.count {
            if stream.place.isAtEnd || model.keyspace == nil { return nil }
            var rows: [Row] = []
            var batch = ReferencingBatch(sorted[index], watch)
            func visit(_ key: RawSpan, _ record: RawSpan) throws -> ScanStep {
                let sort = try sortBytes(key, record, of: index)
                if try start.map({ try isBehind($0, index, sort, key, record) }) ?? true {
                    rows.append(Row(sort: sort, key: [UInt8](copying: key), record: [UInt8](copying: record)))
                }
                return .next
            }
            stream.place = try transaction.forEachRecord(of: model, behind: stream.place, size: stream.size, isOneSnapshot: true) {
                try batch.add($0, $1, visit)
            }
            try batch.finish(visit)
            stream.rows = rows
            stream.position = 0
            stream.size = min(stream.size * 4, 1_024)
        }
        return stream.rows[stream.position]
    }

    private func sortBytes(_ key: RawSpan, _ record: RawSpan, of model: Int) throws -> [UInt8] {
        var bytes = ByteWriter()
        try transaction.withRecordView(record, key: key, models[model]) { view in
            try encoders[model].append(sorted[model]?.looking(view) ?? view, to: &bytes)
        }
        return bytes.bytes()
    }

    // MARK: - Places

    /// Where a result is in the order.
    func place(_ model: Int, _ sort: [UInt8], _ key: RawSpan, _ record: RawSpan) throws -> MixedPlace {
        var whole = [UInt8](copying: key)
        if whole.count > RecordKey.maxWholeSize {
            try transaction.withRecordView(record, key: key, models[model]) { whole = [UInt8](try $0.wholeKey) }
        }
        return MixedPlace(sort: sort, model: models[model].binding.schema.name, key: whole)
    }

    private func isBehind(_ start: MixedPlace, _ model: Int, _ sort: [UInt8], _ key: RawSpan, _ record: RawSpan) throws -> Bool {
        let order = sort.compare(to: start.sort)
        if order != 0 { return order > 0 }
        let before = start.compareModel(models[model].binding.schema.name)
        if before != 0 { return before > 0 }
        return try place(model, sort, key, record).key.compare(to: start.key) > 0
    }

    /// What a token must be of: each model's query.
    private static func fingerprint(of query: Query, in models: [OpenModel], _ encoders: [SortEncoder]) throws -> UInt64 {
        var bytes = ByteWriter()
        for (model, encoder) in zip(models, encoders) {
            var query = query
            query.model = model.binding.schema.name
            bytes.append(try QueryFingerprint.of(query, in: model.binding.schema, sortedBy: encoder).littleEndian)
        }
        return bytes.withBytes { Checksum.hash($0, seed: 1) }
    }
}
