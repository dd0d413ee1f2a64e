/// Where an index and its objects disagree.
enum IndexDifference: Sendable, Hashable {
    /// An object is not in the index.
    case missing(recordKey: [UInt8])
    /// The index holds a document that is no object.
    case stale(recordKey: [UInt8])
    /// The index holds other words of an object than it has.
    case wrong(recordKey: [UInt8], reason: String)
    /// The index's own bytes do not fit together.
    case damaged(reason: String)
}

/// Compares an inverted index with the objects it should hold.
///
/// Every object is given to ``check(_:_:)`` once, in the transaction that ``finish(_:)`` is called in. For each object it keeps sums of
/// hashes of its words and their places, some 80 bytes. Of what the index tells beyond the objects it keeps little: two
/// bytes of a forged one tell of a document.
final class InvertedIndexVerifier {
    struct Sum: Equatable {
        var words: UInt64 = 0
        var length = 0
    }

    /// What an object's document should hold, and what was found of it.
    private struct Document {
        let wanted: Sum
        var found = Sum()
    }

    let index: InvertedIndex
    let reader: any StorageReader
    private let postings: Keyspace?
    private let documents: Keyspace?
    private let keys: Keyspace?
    private var extractor: TermExtractor
    private var expected: [UInt64: Document] = [:]
    /// Documents that have words or a length and are no object's; at most ``maxUnknown``.
    private var unknown: Set<UInt64> = []
    private var hasMoreUnknown = false
    private static let maxUnknown = 10_000
    /// Told each difference.
    let report: (IndexDifference) -> Void
    /// The objects whose documents have not been looked for.
    private var waiting: [(key: [UInt8], sum: Sum)] = []
    /// How many are looked for in one go.
    private static let batchSize = 512
    private var terms: Set<UInt64> = []
    /// Counts the entries and the documents that they tell of.
    var watch: ReadWatch

    /// - Parameters:
    ///   - watch: ends the comparison when its task is cancelled.
    ///   - report: told each difference as it is found.
    init(
        _ index: InvertedIndex, _ reader: any StorageReader, watch: ReadWatch = ReadWatch(), _ report: @escaping (IndexDifference) -> Void
    ) throws {
        self.index = index
        self.watch = watch
        self.report = report
        self.reader = reader
        postings = try reader.keyspace(named: index.postingsName)
        documents = try reader.keyspace(named: index.documentsName)
        keys = try reader.keyspace(named: index.keysName)
        extractor = TermExtractor(index.terms)
    }

    /// Takes an object of the store, with its texts.
    func check(_ recordKey: RawSpan, _ texts: [String?]) throws {
        waiting.append(([UInt8](copying: recordKey), sum(texts)))
        if waiting.count == Self.batchSize { try checkWaiting() }
    }

    /// Looks for the documents of the objects that were taken, all in one go.
    private func checkWaiting() throws {
        let objects = waiting
        waiting.removeAll(keepingCapacity: true)
        var numbers = [UInt64?](repeating: nil, count: objects.count)
        var damaged: Set<Int> = []
        if let keys {
            try reader.getMany(objects.lazy.map(\.key), in: keys) { position, value in
                try watch.step()
                guard let value else { return }
                do {
                    numbers[position] = try objects[position].key.withUnsafeBytes { try DocumentNumber.decode(value, recordKey: $0, index) }
                } catch TroveError.corruptIndex(_, _, let reason) {
                    report(.damaged(reason: reason))
                    damaged.insert(position)
                }
            }
        }
        for (position, object) in objects.enumerated() {
            guard let number = numbers[position] else {
                if !damaged.contains(position) { report(.missing(recordKey: object.key)) }
                continue
            }
            if expected.updateValue(Document(wanted: object.sum), forKey: number) != nil {
                report(.damaged(reason: "two documents have the number \(number)"))
            }
        }
    }

    /// Reports what differs, after all objects were given; calls `advance` once for each entry of words and of documents.
    func finish(_ advance: () throws -> Void = {}) throws {
        try checkWaiting()
        guard let postings, let documents, let keys else {
            if postings != nil || documents != nil || keys != nil { report(.damaged(reason: "one of its keyspaces is missing")) }
            return
        }
        try addPostings(postings, advance)
        try addLengths(documents, advance)
        var (count, words, hasStale) = (0, 0, false)
        try forEachDocument(documents) { number, recordKey in
            try watch.step()
            count += 1
            unknown.remove(number)
            guard let document = expected.removeValue(forKey: number) else {
                hasStale = true
                return report(.stale(recordKey: recordKey))
            }
            let (found, wanted) = (document.found, document.wanted)
            words += found.length
            if found.words != wanted.words {
                report(.wrong(recordKey: recordKey, reason: "the index holds other words"))
            } else if index.keepsLengths, found.length != wanted.length {
                report(.wrong(recordKey: recordKey, reason: "the index holds \(found.length) as its length, which is \(wanted.length)"))
            }
        }
        for number in expected.keys.sorted() { report(.damaged(reason: "the record key of document \(number) is missing")) }
        for number in unknown.sorted() { report(.damaged(reason: "document \(number) has words and no record key")) }
        if hasMoreUnknown { report(.damaged(reason: "more than \(Self.maxUnknown) documents have words and are no object's")) }
        // What has no object has no length here either.
        try checkTotals(documents, keys, count, hasStale ? nil : words)
    }

    /// Adds to what was found of a document.
    func add(_ number: UInt64, _ change: (inout Sum) -> Void) throws {
        try watch.step()
        if let place = expected.index(forKey: number) {
            change(&expected.values[place].found)
        } else if unknown.count < Self.maxUnknown {
            unknown.insert(number)
        } else if !unknown.contains(number) {
            hasMoreUnknown = true
        }
    }

    private func sum(_ texts: [String?]) -> Sum {
        var sum = Sum()
        terms.removeAll(keepingCapacity: true)
        for (field, text) in texts.enumerated() {
            guard var text else { continue }
            sum.length += text.withUTF8 { text in
                extractor.forEachTerm(in: text) { term, position in
                    let occurrence = Occurrence(field: field, position: index.keepsPositions ? position : 0)
                    let hash = Checksum.hash(UnsafeRawBufferPointer(term), seed: index.keepsCounts ? occurrence.rawValue : 0)
                    if index.keepsCounts || terms.insert(hash).inserted { sum.words &+= hash }
                }
            }
        }
        return sum
    }
}
