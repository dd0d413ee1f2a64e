/// The documents that hold one term, block by block.
final class TermIterator: DocumentIterator {
    private let context: SearchContext
    private let keyspace: Keyspace
    private let fields: UInt64
    /// Whether documents that hold the term in other fields only are to be passed over.
    private let isRestricted: Bool
    private let block: PostingBlock
    private var key: PostingKey
    private var cursor: (any StorageCursor)?
    private var posting = 0
    /// The number of documents with the term, in any field.
    let total: Int
    private let rarity: Double

    /// How often the term occurs in each posting of the block, times the fields' weights; below 0 where it occurs in none of the fields.
    private var frequencies: [Double] = []
    private var hasFrequencies = false
    /// Where the occurrences of each posting begin among all of the block, and the positions' bytes read so far.
    private var positionsOffset = 0
    private var positionsPosting = -1
    private var countsOffset = 0

    init(_ context: SearchContext, _ keyspace: Keyspace, _ term: [UInt8], _ fields: UInt64) throws {
        self.context = context
        self.keyspace = keyspace
        self.fields = fields
        isRestricted = fields != context.allFields && context.index.keepsCounts
        let block = PostingBlock(context.index)
        self.block = block
        var key = PostingKey()
        term.withUnsafeBufferPointer { key.setTail(of: $0) }
        self.key = key
        let isThere = try block.load(key.bytes, context.reader, keyspace)
        total = isThere ? block.total : 0
        rarity = LengthNorm.rarity(documents: total, all: context.totals.documentCount)
        super.init()
        guard isThere else {
            document = Self.end
            return
        }
        if total > block.count { try seek(0) }
        try settle()
    }

    override var estimate: Int { total }

    /// Whether it finds the term in whatever field.
    var isEveryField: Bool { !isRestricted }

    override func next() throws {
        posting += 1
        if posting < block.count, !isRestricted {
            document = block.documents[posting]
        } else {
            try settle()
        }
    }

    override func advance(to target: UInt64) throws {
        if block.count == 0 || block.documents[block.count - 1] < target {
            if block.isTail {
                document = Self.end
                return
            }
            try enterBlock(holding: target)
        }
        posting = block.firstIndex(atLeast: target, from: posting)
        try settle()
    }

    // MARK: Blocks

    /// Makes the posting one that is to be found, from where it is on.
    private func settle() throws {
        while true {
            if isRestricted, posting < block.count {
                try loadFrequencies()
                while posting < block.count, frequencies[posting] < 0 { posting += 1 }
            }
            if posting < block.count {
                document = block.documents[posting]
                return
            }
            if block.isTail {
                document = Self.end
                return
            }
            guard let cursor, try cursor.next() else { throw block.damaged("is missing at the end of a word") }
            _ = try cursor.withEntry { try block.loadNext(key: $0, value: $1, of: key) }
            try entered()
        }
    }

    /// Goes to the block that holds `target` or would hold it, which is behind this one.
    private func enterBlock(holding target: UInt64) throws {
        guard let cursor, try cursor.next() else { throw block.damaged("is missing at the end of a word") }
        // Mostly it is the next one, which is cheaper to reach than by a search.
        var isNext = false
        _ = try cursor.withEntry { found, value in
            isNext = PostingKey.holds(target, found)
            if isNext { try block.loadNext(key: found, value: value, of: key) }
        }
        if isNext { try entered() } else { try seek(target) }
    }

    private func seek(_ target: UInt64) throws {
        let cursor = try self.cursor ?? context.reader.cursor(in: keyspace)
        self.cursor = cursor
        key.setBound(target)
        let bytes = key.bytes
        guard try cursor.seek(to: bytes.span.bytes) else { throw block.damaged("is missing at the end of a word") }
        _ = try cursor.withEntry { found, value in
            guard found.withUnsafeBytes({ key.isOfSameTerm($0) }) else { throw block.damaged("is missing at the end of a word") }
            try block.load(key: found, value: value)
        }
        try entered()
    }

    private func entered() throws {
        // Whatever is looked for among documents, of which few or none may be found, goes through blocks.
        try context.watch?.look()
        posting = 0
        hasFrequencies = false
        positionsPosting = -1
    }

    // MARK: Counts and positions

    private func loadFrequencies() throws {
        if hasFrequencies { return }
        frequencies.removeAll(keepingCapacity: true)
        let weights = context.weights
        var (frequency, isFound) = (0.0, false)
        try block.forEachCount { _, field, count, isLast in
            if fields & 1 << UInt64(field) != 0 {
                isFound = true
                frequency += weights[field] * Double(count)
            }
            if isLast {
                frequencies.append(isFound ? frequency : -1)
                (frequency, isFound) = (0, false)
            }
        }
        hasFrequencies = true
    }

    override func score(_ length: LengthNorm) throws -> Double {
        if !block.hasCounts { return length.score(context.weights[0], rarity: rarity) }
        try loadFrequencies()
        return length.score(frequencies[posting], rarity: rarity)
    }

    override var phraseRarity: Double { rarity }

    override func appendOccurrences(to occurrences: inout [UInt64]) throws {
        if positionsPosting < 0 || positionsPosting > posting {
            positionsOffset = try block.positions()
            countsOffset = block.countsStart
            positionsPosting = 0
        }
        while positionsPosting < posting {
            try readOccurrences { _ in }
            positionsPosting += 1
        }
        try readOccurrences { if fields & 1 << ($0 >> 32) != 0 { occurrences.append($0) } }
        positionsPosting += 1
    }

    /// Calls `body` with the occurrences of the posting after those read so far.
    @inline(__always)
    private func readOccurrences(_ body: (UInt64) -> Void) throws {
        let contents = block.contents
        var isLast = false
        while !isLast {
            var (field, count) = (0, 1)
            if block.hasCounts {
                (field, count, isLast) = try block.readCount(contents, &countsOffset, UInt64(context.index.fieldCount))
            } else {
                isLast = true
            }
            var position: UInt64 = 0
            for _ in 0..<count {
                guard let gap = Varint.read(contents, &positionsOffset), gap <= UInt64(UInt32.max) else {
                    throw block.damaged("ends among its positions")
                }
                position = (position + gap) & 0xFFFF_FFFF
                body(UInt64(field) << 32 | position)
            }
        }
    }
}
