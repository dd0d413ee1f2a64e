/// The documents that hold a term with a prefix, gathered from all such terms before the first is told.
final class PrefixIterator: DocumentIterator {
    private let context: SearchContext
    private let fields: UInt64
    private var documents: [UInt64] = []
    /// How often terms occur in each document, times the fields' weights; only when documents are scored.
    private var frequencies: [Double] = []
    /// Where the terms stand in each document, only for phrases, and where those of each begin.
    private var occurrences: [UInt64] = []
    private var starts: [Int] = []
    /// The documents that hold terms in whatever field, each as often as it holds one; only when documents are scored, and not all fields are sought.
    private var holders: [UInt64] = []
    private var position = 0
    private var rarity = 0.0

    init(
        _ context: SearchContext, _ keyspace: Keyspace, _ prefix: [UInt8], _ fields: UInt64, withOccurrences: Bool
    ) throws {
        self.context = context
        self.fields = fields
        super.init()
        if withOccurrences {
            try gatherOccurrences(keyspace, prefix)
        } else if context.ranks {
            try gatherFrequencies(keyspace, prefix)
        } else {
            try gatherDocuments(keyspace, prefix)
        }
        rarity = LengthNorm.rarity(documents: isRestricted && context.ranks ? holderCount() : documents.count, all: context.totals.documentCount)
        document = documents.first ?? Self.end
    }

    override var estimate: Int { documents.count }

    override func next() throws {
        position += 1
        document = position < documents.count ? documents[position] : Self.end
    }

    override func advance(to target: UInt64) throws {
        var (low, high) = (position, documents.count)
        while low < high {
            let middle = (low + high) >> 1
            if documents[middle] < target { low = middle + 1 } else { high = middle }
        }
        position = low
        document = position < documents.count ? documents[position] : Self.end
    }

    override func score(_ length: LengthNorm) throws -> Double { length.score(frequencies[position], rarity: rarity) }

    override var phraseRarity: Double { rarity }

    override func appendOccurrences(to occurrences: inout [UInt64]) throws {
        occurrences.append(contentsOf: self.occurrences[starts[position]..<starts[position + 1]])
    }

    private var isRestricted: Bool { fields != context.allFields }

    // MARK: Gathering

    /// How many documents hold one of the terms in any field, as a word's rarity counts them.
    private func holderCount() -> Int {
        holders.sort()
        var (count, last) = (0, nil as UInt64?)
        for holder in holders where holder != last { (count, last) = (count + 1, holder) }
        holders = []
        return count
    }

    private func forEachBlock(_ keyspace: Keyspace, _ prefix: [UInt8], _ body: (PostingBlock) throws -> Void) throws {
        let block = PostingBlock(context.index)
        try context.reader.scan(.prefix(prefix), in: keyspace) { key, value in
            try context.watch?.look()
            try block.load(key: key, value: value)
            if isRestricted, context.ranks { holders.append(contentsOf: UnsafeBufferPointer(rebasing: block.documents[..<block.count])) }
            try body(block)
            return .next
        }
    }

    private func gatherDocuments(_ keyspace: Keyspace, _ prefix: [UInt8]) throws {
        try forEachBlock(keyspace, prefix) { block in
            if isRestricted {
                try block.forEachCount { posting, field, _, _ in
                    if fields & 1 << UInt64(field) != 0 { documents.append(block.documents[posting]) }
                }
            } else {
                documents.append(contentsOf: UnsafeBufferPointer(rebasing: block.documents[..<block.count]))
            }
        }
        documents.sort()
        var kept = 0
        for document in documents where kept == 0 || documents[kept - 1] != document {
            documents[kept] = document
            kept += 1
        }
        documents.removeSubrange(kept...)
    }

    private func gatherFrequencies(_ keyspace: Keyspace, _ prefix: [UInt8]) throws {
        var found: [(document: UInt64, field: Int32, count: Int32)] = []
        try forEachBlock(keyspace, prefix) { block in
            try block.forEachCount { posting, field, count, _ in
                if fields & 1 << UInt64(field) != 0 {
                    found.append((block.documents[posting], Int32(field), Int32(clamping: count)))
                }
            }
        }
        found.sort { $0.document < $1.document }
        for hit in found {
            let frequency = context.weights[Int(hit.field)] * Double(hit.count)
            if documents.last == hit.document {
                frequencies[frequencies.count - 1] += frequency
            } else {
                documents.append(hit.document)
                frequencies.append(frequency)
            }
        }
    }

    private func gatherOccurrences(_ keyspace: Keyspace, _ prefix: [UInt8]) throws {
        var found: [(document: UInt64, occurrence: UInt64)] = []
        try forEachBlock(keyspace, prefix) { block in
            let (index, fields) = (context.index, fields)
            var walk = try PostingWalk(block, keepsCounts: index.keepsCounts, keepsPositions: index.keepsPositions)
            while !walk.isAtEnd {
                let document = walk.document
                try walk.next { counts, positions in
                    PostingWalk.forEachOccurrence(counts, positions, fieldCount: index.fieldCount) { occurrence, _ in
                        if fields & 1 << (occurrence >> 32) != 0 { found.append((document, occurrence)) }
                    }
                }
            }
        }
        found.sort { $0.document == $1.document ? $0.occurrence < $1.occurrence : $0.document < $1.document }
        for hit in found {
            if documents.last != hit.document {
                documents.append(hit.document)
                starts.append(occurrences.count)
            }
            occurrences.append(hit.occurrence)
        }
        starts.append(occurrences.count)
        frequencies = documents.map { _ in 0 }
    }
}
