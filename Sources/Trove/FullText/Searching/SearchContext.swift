/// What all parts of one search share.
final class SearchContext {
    let index: InvertedIndex
    let reader: any StorageReader
    /// nil when the index has no documents yet.
    let keyspaces: (postings: Keyspace, documents: Keyspace)?
    let totals: IndexTotals
    /// How much an occurrence in each field counts.
    let weights: [Double]
    /// Whether documents are scored.
    let ranks: Bool
    /// Asked at each block of a word whether the search should go on; nil when it always should.
    let watch: ReadWatch?
    /// What was gathered of prefixes, for all places of the query that have them.
    private var prefixes: [PrefixMatches.Key: PrefixMatches] = [:]
    /// How many documents each prefix has at most, as ``SearchBounds`` told it.
    var prefixBounds: [[UInt8]: Int] = [:]

    /// - Parameter terms: those that will be looked up, for engines that want to know.
    init(
        _ index: InvertedIndex, _ reader: any StorageReader, weights: [Double], ranks: Bool, terms: [[UInt8]] = [], watch: ReadWatch? = nil
    ) throws {
        self.watch = watch
        self.index = index
        self.reader = reader
        self.weights = weights
        self.ranks = ranks
        let postings = try reader.keyspace(named: index.postingsName)
        let documents = try reader.keyspace(named: index.documentsName)
        switch (postings, documents) {
        case (let postings?, let documents?):
            if reader.prefetches {
                var key = PostingKey()
                let tails = terms.map { term in
                    term.withUnsafeBufferPointer { key.setTail(of: $0) }
                    return key.bytes
                }
                try reader.prefetch(tails, in: postings)
                try reader.prefetch([IndexTotals.key], in: documents)
            }
            keyspaces = (postings, documents)
            totals = try IndexTotals.load(index, reader, documents)
        case (nil, nil):
            keyspaces = nil
            totals = IndexTotals()
        default:
            throw index.corrupt("one of its keyspaces is missing; rebuild the index")
        }
    }

    /// How many documents a search finds on the word of the totals alone.
    private static let trusted = 10_000

    /// Refuses to go on with more documents than there are. Those that a search ranks are kept, and one byte of a list may tell of one; each that there is has
    /// an entry of its own, though.
    func checkCount(found: Int) throws {
        if found > totals.documentCount { throw index.corrupt("a search finds more documents than it counts; rebuild the index") }
        if found == Self.trusted {
            let present = try reader.keyspace(named: index.keysName).map { try reader.count(in: $0) } ?? 0
            if totals.documentCount > present {
                throw index.corrupt("it counts \(totals.documentCount) documents and has \(present); rebuild the index")
            }
        }
    }

    /// Every field of the index.
    var allFields: UInt64 { UInt64.max >> UInt64(64 - index.fieldCount) }

    /// The documents that hold a term in one of `fields`.
    func documents(of element: AnalyzedQuery.Element, _ fields: UInt64, withOccurrences: Bool = false) throws -> DocumentIterator {
        guard let keyspaces else { return EmptyIterator() }
        if element.isPrefix {
            let key = PrefixMatches.Key(prefix: element.term, fields: fields, withOccurrences: withOccurrences)
            return PrefixIterator(try matches(of: key, keyspaces.postings))
        }
        return try TermIterator(self, keyspaces.postings, element.term, fields)
    }

    private func matches(of key: PrefixMatches.Key, _ postings: Keyspace) throws -> PrefixMatches {
        if let known = prefixes[key] { return known }
        let matches = try PrefixMatches(self, postings, key)
        prefixes[key] = matches
        return matches
    }
}

extension SearchContext {
    /// Calls `body` with the record key of each document, until it returns ``ScanStep/stop``; returns whether the keys ascend.
    func forEachRecordKey(_ documents: DocumentIterator, _ watch: ReadWatch, _ body: (RawSpan) throws -> ScanStep) throws -> Bool {
        guard let keyspaces else { return true }
        let lookup = RecordKeyLookup(context: self, keyspace: keyspaces.documents)
        var batch: [UInt64] = []
        var step = ScanStep.next
        // Few at first, for those who want only the first ones.
        var size = 64
        var watch = watch
        while documents.document != DocumentIterator.end, step == .next {
            batch.removeAll(keepingCapacity: true)
            while documents.document != DocumentIterator.end, batch.count < size {
                try watch.step()
                batch.append(documents.document)
                try documents.next()
            }
            try lookup.forEach(batch) {
                step = try body($0)
                return step
            }
            size = min(size * 4, 4096)
        }
        return totals.isOrderedByKey
    }
}

/// Looks up the record keys of documents, a batch of blocks at a time.
struct RecordKeyLookup {
    /// How many blocks are asked for in one go.
    private static let batchSize = 256

    let context: SearchContext
    let keyspace: Keyspace

    /// Calls `body` with the record key of each document; `numbers` ascend.
    func forEach(_ numbers: some RandomAccessCollection<UInt64>, _ body: (RawSpan) throws -> ScanStep) throws {
        var start = numbers.startIndex
        while start < numbers.endIndex {
            var keys = KeyList()
            var batch: [UInt64] = []
            var end = start
            while end < numbers.endIndex {
                let block = numbers[end] / FullTextFormat.keyBlockSize
                if batch.last != block {
                    if batch.count == Self.batchSize { break }
                    batch.append(block)
                    keys.append(DocumentKey.recordKeys(block: block).span.bytes)
                }
                numbers.formIndex(after: &end)
            }
            if try visit(numbers[start..<end], batch, keys, body) == .stop { return }
            start = end
        }
    }

    /// The record keys of documents whose numbers ascend.
    func keys(of numbers: [UInt64]) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        keys.reserveCapacity(numbers.count)
        try forEach(numbers) {
            keys.append([UInt8](copying: $0))
            return .next
        }
        return keys
    }

    private func visit<Numbers: RandomAccessCollection<UInt64>>(
        _ numbers: Numbers, _ batch: [UInt64], _ keys: KeyList, _ body: (RawSpan) throws -> ScanStep
    ) throws -> ScanStep {
        var next = numbers.startIndex
        var step = ScanStep.next
        try context.reader.getMany(keys, in: keyspace) { position, value in
            guard let value else { throw missing }
            let base = batch[position] * FullTextFormat.keyBlockSize
            var wanted: UInt32 = 0
            while next < numbers.endIndex, numbers[next] - base < FullTextFormat.keyBlockSize {
                wanted |= 1 << UInt32(numbers[next] - base)
                numbers.formIndex(after: &next)
            }
            let present = try keys.withKey(at: position) { key in
                try RecordKeyBlock.forEach(value, key: key, slots: wanted, context.index) { _, recordKey in
                    if step == .next { step = try body(recordKey.bytes) }
                }
            }
            if step == .next, wanted & ~present != 0 { throw missing }
            return step
        }
        return step
    }

    private var missing: TroveError { context.index.corrupt("it finds a document that is not in it; rebuild the index") }
}
