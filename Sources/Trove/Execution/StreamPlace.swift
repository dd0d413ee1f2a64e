/// Where a stream of results is between two of its batches.
struct StreamPlace: Sendable {
    /// The query, with what is left of its offset and limit.
    var draft: QueryDraft
    /// The last result given.
    var last: QueryPlace?
    /// Whether the keys of all results are gathered first where the results' values may move them in the order, as what is given changes them.
    var mayChange = false
    /// The keys of all results, where they were gathered, as for an order that has to be made by sorting, and how many of them have been given.
    var keys: (list: KeyList, given: Int)?
    /// The filter once what is behind references has been asked, where all batches are read in one snapshot.
    var rewritten: Filter?
    var isAtEnd = false

    init(_ draft: QueryDraft) {
        self.draft = draft
    }
}

extension ReadTransaction {
    /// Calls `body` with up to `size` results behind a place, and returns the place behind them.
    ///
    /// - Parameter isOneSnapshot: whether the later batches are read in this snapshot too.
    func forEachRecord(
        of model: OpenModel, behind place: StreamPlace, size: Int, isOneSnapshot: Bool = false, _ body: QueryRun.RecordBody
    ) throws -> StreamPlace {
        if place.keys != nil { return try forEachRecordOfKeys(of: model, behind: place, size: size, place.rewritten, body) }
        var place = place
        let limited = place.draft.limited(to: size)
        let run = try QueryRun(self, model, limited, .records, behind: place.last, rewritten: place.rewritten)
        if isOneSnapshot { place.rewritten = run.conditions }
        guard run.plan.canGoOn, !place.mayChange || run.plan.isLiveScan else {
            let whole = try QueryRun(self, model, place.draft, .keys, behind: place.last, rewritten: run.conditions)
            place.keys = (try whole.gatherKeys(), 0)
            return try forEachRecordOfKeys(of: model, behind: place, size: size, whole.conditions, body)
        }
        var count = 0
        let wanted = limited.query.limit ?? size
        try run.forEachRecord { key, record in
            count += 1
            if count == wanted { place.last = try run.place(key, record) }
            return try body(key, record)
        }
        place.draft.query.offset = 0
        if let limit = place.draft.query.limit { place.draft.query.limit = limit - count }
        place.isAtEnd = count < size || place.draft.query.limit == 0
        return place
    }

    /// The same where the keys are known: without a plan.
    ///
    /// - Parameter rewritten: the filter once what is behind references has been asked, in this snapshot; nil when it has not.
    private func forEachRecordOfKeys(
        of model: OpenModel, behind place: StreamPlace, size: Int, _ rewritten: Filter?, _ body: QueryRun.RecordBody
    ) throws -> StreamPlace {
        guard let (list, given) = place.keys else { return place }
        var (place, query) = (place, try place.draft.checkedQuery())
        let watch = place.draft.watch(heedsCancellation: !(self is WriteTransaction))
        try watch.look()
        var checked = try CheckedFilter(self, model, &query, watch, rewritten: rewritten)
        let next = min(list.count, given + size)
        try forEachRecordAnew(list, given..<next, of: model, checked.compiled(), watch, body)
        place.keys = (list, next)
        place.isAtEnd = next == list.count
        return place
    }
}
