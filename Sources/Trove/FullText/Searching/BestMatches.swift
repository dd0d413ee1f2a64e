import Foundation

/// The best documents of a search, gathered one by one in memory for as many as are wanted.
struct Ranking {
    typealias Candidate = (score: Double, number: UInt64)

    private let limit: Int
    /// Whether of two documents of one score the one with the lower number is better. Otherwise their record keys decide, so all
    /// that tie with the worst are kept.
    private let isOrderedByKey: Bool
    /// A heap with the worst on top.
    private var heap: [Candidate] = []
    private var ties: [Candidate] = []

    init(limit: Int, isOrderedByKey: Bool) {
        self.limit = limit
        self.isOrderedByKey = isOrderedByKey
    }

    /// All that may be among the best.
    var candidates: [Candidate] { heap + ties }

    /// Whether a document of this score, above all those added in number, can be among the best.
    @inline(__always)
    func accepts(_ score: Double) -> Bool {
        if heap.count < limit { return true }
        return isOrderedByKey ? score > heap[0].score : score >= heap[0].score
    }

    /// Adds a document that ``accepts(_:)`` accepted.
    mutating func add(_ score: Double, _ number: UInt64) {
        if heap.count < limit {
            heap.append((score, number))
            siftUp()
        } else if score > heap[0].score {
            let dropped = heap[0]
            heap[0] = (score, number)
            siftDown()
            if dropped.score == heap[0].score, !isOrderedByKey { ties.append(dropped) } else { ties.removeAll(keepingCapacity: true) }
        } else {
            ties.append((score, number))
        }
    }

    private func isWorse(_ left: Candidate, _ right: Candidate) -> Bool {
        left.score == right.score ? left.number > right.number : left.score < right.score
    }

    private mutating func siftUp() {
        var index = heap.count - 1
        while index > 0, isWorse(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func siftDown() {
        var index = 0
        while true {
            var worst = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && isWorse(heap[child], heap[worst]) { worst = child }
            if worst == index { return }
            heap.swapAt(index, worst)
            index = worst
        }
    }
}

/// Looks up the lengths of documents, keeping the group it was in last.
struct LengthLookup {
    private let context: SearchContext
    private let keyspace: Keyspace
    private var block = LengthBlock()
    private var group = UInt64.max
    /// Up to which group the engine has been told what is needed.
    private var announced: UInt64 = 0
    /// How many groups are announced at once.
    private static let announcedAtOnce: UInt64 = 64

    init(_ context: SearchContext, _ keyspace: Keyspace) {
        self.context = context
        self.keyspace = keyspace
    }

    /// The number of words of a document.
    @inline(__always)
    mutating func length(of number: UInt64) throws -> UInt32 {
        if number / FullTextFormat.groupSize != group { try load(number / FullTextFormat.groupSize) }
        return block[Int(number % FullTextFormat.groupSize)]
    }

    private mutating func load(_ group: UInt64) throws {
        if context.reader.prefetches, group >= announced {
            // Documents come ascending; the groups that follow are likely to be asked for.
            announced = min(group &+ Self.announcedAtOnce, context.totals.nextNumber / FullTextFormat.groupSize &+ 1)
            if announced > group { try context.reader.prefetch((group..<announced).map { DocumentKey.lengths(group: $0) }, in: keyspace) }
        }
        let key = DocumentKey.lengths(group: group)
        let isThere = try context.reader.get(key.span.bytes, in: keyspace) { try block.load($0, key: key, context.index) }
        if !isThere { block.clear() }
        self.group = group
    }
}

/// What the length of a document does to its score: `k1 · (1 - b + b · length / average length)` of BM25.
struct LengthNorm {
    /// How fast more occurrences stop to count.
    static let k1 = 1.2
    /// How much the length counts, from 0 to 1.
    static let b = 0.75

    let value: Double

    init(length: UInt32, averageLength: Double) {
        value = Self.k1 * (1 - Self.b + Self.b * Double(length) / averageLength)
    }

    /// The score of a word that occurs `frequency` times, each times its field's weight.
    @inline(__always)
    func score(_ frequency: Double, rarity: Double) -> Double {
        frequency == 0 ? 0 : rarity * frequency * (Self.k1 + 1) / (frequency + value)
    }

    /// How much a word tells that `documents` of `all` documents have: ln(1 + (all - documents + ½) / (documents + ½)).
    static func rarity(documents: Int, all: Int) -> Double {
        guard documents > 0 else { return 0 }
        return log(1 + (Double(max(0, all - documents)) + 0.5) / (Double(documents) + 0.5))
    }
}
