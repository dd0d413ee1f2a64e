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
/// Every object is given to ``check(_:_:)`` once, in the transaction that ``finish()`` is called in. For each document it keeps a sum of
/// hashes of its words and their places, so it takes some 50 bytes of memory for each.
final class InvertedIndexVerifier {
    private struct Sum: Equatable {
        var words: UInt64 = 0
        var length = 0
    }

    private let index: InvertedIndex
    private let reader: any StorageReader
    private let postings: Keyspace?
    private let documents: Keyspace?
    private let keys: Keyspace?
    private var extractor: TermExtractor
    private var expected: [UInt64: Sum] = [:]
    /// The objects whose documents have not been looked for.
    private var waiting: [(key: [UInt8], sum: Sum)] = []
    /// How many are looked for in one go.
    private static let batchSize = 512
    private var differences: [IndexDifference] = []
    private var terms: Set<UInt64> = []

    init(_ index: InvertedIndex, _ reader: any StorageReader) throws {
        self.index = index
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
            try reader.getMany(objects.map(\.key), in: keys) { position, value in
                guard let value else { return }
                do {
                    numbers[position] = try objects[position].key.withUnsafeBytes { try DocumentNumber.decode(value, recordKey: $0, index) }
                } catch TroveError.corruptIndex(_, _, let reason) {
                    differences.append(.damaged(reason: reason))
                    damaged.insert(position)
                }
            }
        }
        for (position, object) in objects.enumerated() {
            guard let number = numbers[position] else {
                if !damaged.contains(position) { differences.append(.missing(recordKey: object.key)) }
                continue
            }
            if expected.updateValue(object.sum, forKey: number) != nil {
                differences.append(.damaged(reason: "two documents have the number \(number)"))
            }
        }
    }

    /// What differs, after all objects were given.
    func finish() throws -> [IndexDifference] {
        try checkWaiting()
        guard let postings, let documents, let keys else {
            if postings != nil || documents != nil || keys != nil { differences.append(.damaged(reason: "one of its keyspaces is missing")) }
            return differences
        }
        let found = try sums(postings)
        let lengths = try lengths(documents)
        var (count, words) = (0, 0)
        var unseen = Set(found.keys).union(lengths.keys)
        try forEachDocument(documents) { number, recordKey in
            count += 1
            unseen.remove(number)
            let sum = Sum(words: found[number]?.words ?? 0, length: lengths[number] ?? 0)
            words += sum.length
            guard let wanted = expected.removeValue(forKey: number) else {
                differences.append(.stale(recordKey: recordKey))
                return
            }
            if sum.words != wanted.words {
                differences.append(.wrong(recordKey: recordKey, reason: "the index holds other words"))
            } else if index.keepsLengths, sum.length != wanted.length {
                differences.append(.wrong(recordKey: recordKey, reason: "the index holds \(sum.length) as its length, which is \(wanted.length)"))
            }
        }
        for number in expected.keys.sorted() { differences.append(.damaged(reason: "the record key of document \(number) is missing")) }
        for number in unseen.sorted() { differences.append(.damaged(reason: "document \(number) has words and no record key")) }
        try checkTotals(documents, keys, count, words)
        return differences
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

    /// The sums of what the postings hold, by document; the blocks' own order and counts are checked on the way.
    private func sums(_ postings: Keyspace) throws -> [UInt64: Sum] {
        var sums: [UInt64: Sum] = [:]
        var term: [UInt8] = []
        var (count, last): (Int, UInt64?) = (0, nil)
        let block = PostingBlock(index)
        /// Whether the last block of the term has not come yet.
        var isOpen = false
        func endTerm() {
            if isOpen { differences.append(.damaged(reason: "a word's last block of postings is missing")) }
        }
        try reader.scan(in: postings) { key, value in
            do {
                try block.load(key: key, value: value)
            } catch TroveError.corruptIndex(_, _, let reason) {
                differences.append(.damaged(reason: reason))
                return .next
            }
            let bytes = [UInt8](copying: key)
            let blockTerm = Array(bytes.prefix { $0 != 0 })
            if blockTerm != term {
                endTerm()
                (term, count, last, isOpen) = (blockTerm, 0, nil, true)
            }
            if let last, block.count > 0, block.documents[0] <= last {
                differences.append(.damaged(reason: "the blocks of a word overlap"))
            }
            if block.count > 0 { last = block.documents[block.count - 1] }
            count += block.count
            if block.isTail {
                isOpen = false
                if count != block.total { differences.append(.damaged(reason: "a word has \(count) documents and counts \(block.total)")) }
            }
            try self.add(block, term, &sums)
            return .next
        }
        endTerm()
        return sums
    }

    private func add(_ block: PostingBlock, _ term: [UInt8], _ sums: inout [UInt64: Sum]) throws {
        guard index.keepsCounts else {
            let hash = Checksum.hash(term)
            for posting in 0..<block.count { sums[block.documents[posting], default: Sum()].words &+= hash }
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
                sums[number, default: Sum()].words &+= words
            }
        } catch TroveError.corruptIndex(_, _, let reason) {
            differences.append(.damaged(reason: reason))
        }
    }

    // MARK: Documents

    private func lengths(_ documents: Keyspace) throws -> [UInt64: Int] {
        var lengths: [UInt64: Int] = [:]
        var block = LengthBlock()
        try reader.scan(in: documents) { key, value in
            guard let group = key.withUnsafeBytes(DocumentKey.lengthGroup) else { return .next }
            do {
                try block.load(value, key: [UInt8](copying: key), index)
            } catch TroveError.corruptIndex(_, _, let reason) {
                differences.append(.damaged(reason: reason))
                return .next
            }
            for (slot, length) in block.lengths.enumerated() where length > 0 {
                lengths[group * FullTextFormat.groupSize + UInt64(slot)] = Int(length)
            }
            return .next
        }
        return lengths
    }

    private func forEachDocument(_ documents: Keyspace, _ body: (UInt64, [UInt8]) -> Void) throws {
        try reader.scan(in: documents) { key, value in
            guard let block = key.withUnsafeBytes(DocumentKey.recordKeyBlock) else { return .next }
            do {
                try RecordKeyBlock.forEach(value, key: [UInt8](copying: key), index) { slot, recordKey in
                    body(block * FullTextFormat.keyBlockSize + UInt64(slot), [UInt8](recordKey))
                }
            } catch TroveError.corruptIndex(_, _, let reason) {
                differences.append(.damaged(reason: reason))
            }
            return .next
        }
    }

    private func checkTotals(_ documents: Keyspace, _ keys: Keyspace, _ count: Int, _ words: Int) throws {
        do {
            let totals = try IndexTotals.load(index, reader, documents)
            if totals.documentCount != count {
                differences.append(.damaged(reason: "it holds \(count) documents and counts \(totals.documentCount)"))
            }
            if index.keepsLengths, totals.wordCount != words {
                differences.append(.damaged(reason: "its documents have \(words) words and it counts \(totals.wordCount)"))
            }
        } catch TroveError.corruptIndex(_, _, let reason) {
            differences.append(.damaged(reason: reason))
        }
        let numbered = try reader.count(in: keys)
        if numbered != count { differences.append(.damaged(reason: "it holds \(count) documents under \(numbered) record keys")) }
    }
}
