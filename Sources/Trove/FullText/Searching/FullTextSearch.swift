/// Searches of a full-text index in one transaction.
///
/// In a write transaction they find what was flushed into the index.
struct FullTextSearch {
    let index: FullTextIndex
    let reader: any StorageReader
    /// Asked now and then whether the search should go on.
    var watch = ReadWatch()
    /// Tells the id's bytes of a record key that may be a shortened form; nil where all are whole.
    var wholeKey: ((RawSpan) throws -> [UInt8])?

    /// Calls `body` with the record key of each object the query finds, until it returns ``ScanStep/stop``.
    ///
    /// The keys come in no order that means anything; in that of the keys when the result is true.
    ///
    /// - Throws: ``TroveError/unsupportedFullTextQuery(index:reason:)``, ``TroveError/corruptIndex(model:index:reason:)``.
    @discardableResult
    func forEachMatch(_ query: FullTextQuery, _ body: (RawSpan) throws -> ScanStep) throws -> Bool {
        let query = try AnalyzedQuery(query, index)
        let context = try context(ranks: false, query)
        return try context.forEachRecordKey(QueryPlan.iterator(query, context), watch, body)
    }

    /// The number of objects the query finds.
    ///
    /// - Complexity: O(1) for one word in any field.
    func count(_ query: FullTextQuery) throws -> Int {
        let query = try AnalyzedQuery(query, index)
        let context = try context(ranks: false, query)
        let documents = try QueryPlan.iterator(query, context)
        if let exact = QueryPlan.exactCount(documents, context) { return exact }
        var count = 0
        var watch = watch
        while documents.document != DocumentIterator.end {
            try watch.step()
            count += 1
            try documents.next()
        }
        return count
    }

    /// At most how many objects the query finds, from the lengths of lists alone; for planning.
    func estimate(_ query: FullTextQuery) throws -> Int {
        let query = try AnalyzedQuery(query, index)
        return try SearchBounds(context(ranks: false, query))?.count(of: query) ?? 0
    }

    /// The best matches, best first, those of the same score by ascending id; the first `offset` are left out.
    ///
    /// `isIncluded` can leave objects out; it is asked only about those that would be among the best so far.
    ///
    /// - Throws: as ``forEachMatch(_:_:)``; also when it finds more documents than the index has.
    func best(
        _ limit: Int, offset: Int = 0, of query: FullTextQuery, where isIncluded: ((RawSpan) throws -> Bool)? = nil
    ) throws -> [FullTextMatch] {
        let query = try AnalyzedQuery(query, index)
        let context = try context(ranks: true, query)
        guard let keyspaces = context.keyspaces, limit > 0, offset >= 0 else { return [] }
        let (wanted, overflows) = limit.addingReportingOverflow(offset)
        let lookup = RecordKeyLookup(context: context, keyspace: keyspaces.documents)
        let isOrdered = context.totals.isOrderedByKey
        var best = BestMatches(limit: overflows ? .max : wanted, isOrderedByKey: isOrdered)
        try gather(&best, of: query, lookup, keyspaces.documents, isIncluded)
        // Shortened keys that begin alike are in no order: one that was left out may belong before the last one.
        if isOrdered, wholeKey != nil, let last = best.last, try lookup.keys(of: [last])[0].count >= RecordKey.keptSize {
            best = BestMatches(limit: overflows ? .max : wanted, isOrderedByKey: false)
            try gather(&best, of: query, lookup, keyspaces.documents, isIncluded)
        }
        return Array(try matches(best, lookup).dropFirst(offset).prefix(limit))
    }

    private func gather(
        _ best: inout BestMatches, of query: AnalyzedQuery, _ lookup: RecordKeyLookup, _ keyspace: Keyspace, _ isIncluded: ((RawSpan) throws -> Bool)?
    ) throws {
        let context = lookup.context
        let documents = try QueryPlan.iterator(query, context)
        var lengths = LengthLookup(context, keyspace)
        var watch = watch
        let average = max(1, Double(context.totals.wordCount) / Double(max(1, context.totals.documentCount)))
        var found = 0
        while documents.document != DocumentIterator.end {
            try watch.step()
            found += 1
            try context.checkCount(found: found)
            let number = documents.document
            let score = try documents.score(LengthNorm(length: lengths.length(of: number), averageLength: average))
            if best.accepts(score) {
                var isWanted = true
                if let isIncluded {
                    try lookup.forEach(CollectionOfOne(number)) {
                        isWanted = try best.accepts(score, key: $0, wholeKey) && isIncluded($0)
                        return .stop
                    }
                }
                if isWanted { best.add(score, number) }
                if best.hasManyTies { try best.keepFirstTies { try ids(of: lookup.keys(of: $0)) } }
            }
            try documents.next()
        }
    }

    /// The ids' bytes of some record keys.
    private func ids(of keys: [[UInt8]]) throws -> [[UInt8]] {
        guard let wholeKey else { return keys }
        return try keys.map { $0.count > RecordKey.maxWholeSize ? try wholeKey($0.span.bytes) : $0 }
    }

    private func context(ranks: Bool, _ query: AnalyzedQuery) throws -> SearchContext {
        try SearchContext(
            index.inverted, reader, weights: index.fields.weights, ranks: ranks, terms: reader.prefetches ? query.terms : [], watch: watch)
    }

    private func matches(_ best: consuming BestMatches, _ lookup: RecordKeyLookup) throws -> [FullTextMatch] {
        let candidates = best.candidates.sorted { $0.number < $1.number }
        var matches: [FullTextMatch] = []
        matches.reserveCapacity(candidates.count)
        try lookup.forEach(candidates.map(\.number)) {
            matches.append(FullTextMatch(recordKey: [UInt8](copying: $0), score: candidates[matches.count].score))
            return .next
        }
        let ids = try ids(of: matches.map(\.recordKey))
        return zip(ids, matches).sorted {
            $0.1.score == $1.1.score ? $0.0.lexicographicallyPrecedes($1.0) : $0.1.score > $1.1.score
        }.map(\.1)
    }
}

/// Turns analysed queries into iterators.
enum QueryPlan {
    /// The documents a query finds.
    static func iterator(_ query: AnalyzedQuery, _ context: SearchContext) throws -> DocumentIterator {
        switch query {
        case .words(let elements, let fields):
            if elements.count == 1 { return try context.documents(of: elements[0], fields) }
            return context.keyspaces == nil ? EmptyIterator() : try PhraseIterator(context, elements, fields)
        case .all(let parts):
            return try conjunction(parts, context)
        case .any(let parts):
            return DisjunctionIterator(try parts.map { try iterator($0, context) })
        case .not:
            return try conjunction([query], context)
        case .nothing:
            return EmptyIterator()
        }
    }

    /// How many documents there are, where that needs no counting.
    static func exactCount(_ documents: DocumentIterator, _ context: SearchContext) -> Int? {
        switch documents {
        case let term as TermIterator where term.isEveryField: term.total
        case is EveryDocumentIterator: context.totals.documentCount
        default: nil
        }
    }

    private static func conjunction(_ parts: [AnalyzedQuery], _ context: SearchContext) throws -> DocumentIterator {
        var (wanted, excluded): ([DocumentIterator], [DocumentIterator]) = ([], [])
        for part in parts where !part.isNot {
            let documents = try iterator(part, context)
            if documents.document == DocumentIterator.end { return EmptyIterator() }
            wanted.append(documents)
        }
        for case .not(let inner) in parts { excluded.append(try iterator(inner, context)) }
        if wanted.isEmpty {
            guard let keyspaces = context.keyspaces else { return EmptyIterator() }
            wanted = [try EveryDocumentIterator(context, keyspaces.documents)]
        }
        return wanted.count == 1 && excluded.isEmpty ? wanted[0] : try ConjunctionIterator(wanted, excluding: excluded)
    }
}
