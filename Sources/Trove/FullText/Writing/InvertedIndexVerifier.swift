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
/// hashes of its words and their places, some 80 bytes. Of what the index tells beyond the objects it keeps little: two bytes of a forged one tell of a document.
final class InvertedIndexVerifier {
    private struct Sum: Equatable {
        var words: UInt64 = 0
        var length = 0
    }

    /// What an object's document should hold, and what was found of it.
    private struct Document {
        let wanted: Sum
        var found = Sum()
    }

    private let index: InvertedIndex
    private let reader: any StorageReader
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
    private let report: (IndexDifference) -> Void
    /// The objects whose documents have not been looked for.
    private var waiting: [(key: [UInt8], sum: Sum)] = []
    /// How many are looked for in one go.
    private static let batchSize = 512
    private var terms: Set<UInt64> = []
    /// Counts the entries and the documents that they tell of.
    private var watch: ReadWatch

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
    private func add(_ number: UInt64, _ change: (inout Sum) -> Void) throws {
        try watch.step()
        if let place = expected.index(forKey: number) {
            change(&expected.values[place].found)
        } else if unknown.count < Self.maxUnknown {
            unknown.insert(number)
        } else if !unknown.contains(number) {
            hasMoreUnknown = true
        }
    }

    // MARK: Sums

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

    /// Adds what the postings hold, by document; the blocks' own order and counts are checked on the way.
    private func addPostings(_ postings: Keyspace, _ advance: () throws -> Void) throws {
        var term: [UInt8] = []
        var (count, last): (Int, UInt64?) = (0, nil)
        let block = PostingBlock(index)
        /// Whether the last block of the term has not come yet.
        var isOpen = false
        func endTerm() {
            if isOpen { report(.damaged(reason: "a word's last block of postings is missing")) }
        }
        try reader.scan(in: postings) { key, value in
            try watch.step()
            try advance()
            do {
                try block.load(key: key, value: value)
            } catch TroveError.corruptIndex(_, _, let reason) {
                report(.damaged(reason: reason))
                return .next
            }
            let bytes = [UInt8](copying: key)
            let blockTerm = Array(bytes.prefix { $0 != 0 })
            if blockTerm != term {
                endTerm()
                (term, count, last, isOpen) = (blockTerm, 0, nil, true)
            }
            if let last, block.count > 0, block.documents[0] <= last {
                report(.damaged(reason: "the blocks of a word overlap"))
            }
            if block.count > 0 { last = block.documents[block.count - 1] }
            count += block.count
            if block.isTail {
                isOpen = false
                if count != block.total { report(.damaged(reason: "a word has \(count) documents and counts \(block.total)")) }
            }
            try add(block, term)
            return .next
        }
        endTerm()
    }

    private func add(_ block: PostingBlock, _ term: [UInt8]) throws {
        guard index.keepsCounts else {
            let hash = Checksum.hash(term)
            for posting in 0..<block.count { try add(block.documents[posting]) { $0.words &+= hash } }
            return
        }
        let index = index
        do {
            var walk = try PostingWalk(block, keepsCounts: true, keepsPositions: index.keepsPositions)
            while !walk.isAtEnd {
                let number = walk.document
                var words: UInt64 = 0
                try walk.next { counts, positions in
                    PostingWalk.forEachOccurrence(
                        counts, positions, fieldCount: index.fieldCount, hasPositions: index.keepsPositions
                    ) { words &+= Checksum.hash(term, seed: $0) &* $1 }
                }
                try add(number) { $0.words &+= words }
            }
        } catch TroveError.corruptIndex(_, _, let reason) {
            report(.damaged(reason: reason))
        }
    }

    // MARK: Documents

    private func addLengths(_ documents: Keyspace, _ advance: () throws -> Void) throws {
        var block = LengthBlock()
        try reader.scan(in: documents) { key, value in
            try watch.step()
            try advance()
            guard let group = key.withUnsafeBytes(DocumentKey.lengthGroup) else { return .next }
            do {
                try block.load(value, key: [UInt8](copying: key), index)
            } catch TroveError.corruptIndex(_, _, let reason) {
                report(.damaged(reason: reason))
                return .next
            }
            for (slot, length) in block.lengths.enumerated() where length > 0 {
                try add(group * FullTextFormat.groupSize + UInt64(slot)) { $0.length = Int(length) }
            }
            return .next
        }
    }

    private func forEachDocument(_ documents: Keyspace, _ body: (UInt64, [UInt8]) throws -> Void) throws {
        try reader.scan(in: documents) { key, value in
            try watch.step()
            guard let block = key.withUnsafeBytes(DocumentKey.recordKeyBlock) else { return .next }
            do {
                try RecordKeyBlock.forEach(value, key: key, index) { slot, recordKey in
                    try body(block * FullTextFormat.keyBlockSize + UInt64(slot), [UInt8](recordKey))
                }
            } catch TroveError.corruptIndex(_, _, let reason) {
                report(.damaged(reason: reason))
            }
            return .next
        }
    }

    private func checkTotals(_ documents: Keyspace, _ keys: Keyspace, _ count: Int, _ words: Int?) throws {
        do {
            let totals = try IndexTotals.load(index, reader, documents)
            if totals.documentCount != count {
                report(.damaged(reason: "it holds \(count) documents and counts \(totals.documentCount)"))
            }
            if index.keepsLengths, let words, totals.wordCount != words {
                report(.damaged(reason: "its documents have \(words) words and it counts \(totals.wordCount)"))
            }
        } catch TroveError.corruptIndex(_, _, let reason) {
            report(.damaged(reason: reason))
        }
        let numbered = try reader.count(in: keys)
        if numbered != count { report(.damaged(reason: "it holds \(count) documents under \(numbered) record keys")) }
    }
}
