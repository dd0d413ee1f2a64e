/// Where a stream of results is between two of its batches.
struct StreamPlace: Sendable {
    /// The query, with what is left of its offset and limit.
    var draft: QueryDraft
    /// The last result given.
    var last: QueryPlace?
    /// The keys of all results, where the order has to be made by sorting, and how many of them have been given.
    var keys: (list: KeyList, given: Int)?
    var isAtEnd = false

    init(_ draft: QueryDraft) {
        self.draft = draft
    }
}

extension ReadTransaction {
    /// Calls `body` with up to `size` results behind a place, and returns the place behind them.
    func forEachRecord(
        of model: OpenModel, behind place: StreamPlace, size: Int, _ body: QueryRun.RecordBody
    ) throws -> StreamPlace {
        var place = place
        let limited = place.draft.limited(to: size)
        let run = try QueryRun(self, model, place.keys == nil ? limited : place.draft, .records, behind: place.last)
        guard run.plan.canGoOn, place.keys == nil else {
            let (list, given) = try place.keys ?? (QueryRun(self, model, place.draft, .keys, behind: place.last).gatherKeys(), 0)
            let next = min(list.count, given + size)
            try run.forEachRecordAnew(list, given..<next, body)
            place.keys = (list, next)
            place.isAtEnd = next == list.count
            return place
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
}
