/// The best documents of a search, gathered one by one in memory for as many as are wanted.
struct BestMatches {
    typealias Candidate = (score: Double, number: UInt64)

    private let limit: Int
    /// Whether of two documents of one score the one with the lower number is better. Otherwise their record keys decide, so those
    /// that tie with the worst are kept, until they are many.
    private let isOrderedByKey: Bool
    /// How many are kept that tie with the worst.
    private let maxTies: Int
    /// A heap with the worst on top.
    private var heap: [Candidate] = []
    private var ties: [Candidate] = []
    /// Of those with the worst score, only documents with lower ids can be among the best; nil when all can.
    private var lastKey: [UInt8]?

    init(limit: Int, isOrderedByKey: Bool) {
        self.limit = limit
        self.isOrderedByKey = isOrderedByKey
        maxTies = limit > .max / 2 ? .max : max(4_096, 2 * limit)
    }

    /// All that may be among the best.
    var candidates: [Candidate] { heap + ties }

    /// Whether a document of this score, above all those added in number, can be among the best.
    @inline(__always)
    func accepts(_ score: Double) -> Bool {
        if heap.count < limit { return true }
        return isOrderedByKey ? score > heap[0].score : score >= heap[0].score
    }

    /// Whether one that it accepts can be among the best with its record key.
    ///
    /// - Parameter wholeKey: tells the id of a key that may be shortened.
    func accepts(_ score: Double, key: RawSpan, _ wholeKey: ((RawSpan) throws -> [UInt8])?) throws -> Bool {
        guard let lastKey, score == heap[0].score else { return true }
        if let wholeKey, key.byteCount > RecordKey.maxWholeSize { return try wholeKey(key).lexicographicallyPrecedes(lastKey) }
        return key.withUnsafeBytes { $0.lexicographicallyPrecedes(lastKey) }
    }

    /// The number of the last of the best when there are as many as are wanted; nil when none has been left out.
    var last: UInt64? { heap.count < limit ? nil : heap.first?.number }

    /// Whether so many tie with the worst that ``keepFirstTies(_:)`` should choose among them.
    var hasManyTies: Bool { ties.count > maxTies }

    /// Keeps those of the worst score whose ids are the lowest, as many as have a place.
    ///
    /// - Parameter keys: returns the ids' bytes of some documents, whose numbers ascend.
    mutating func keepFirstTies(_ keys: (_ numbers: [UInt64]) throws -> [[UInt8]]) rethrows {
        let worst = heap[0].score
        let better = heap.filter { $0.score != worst }
        let numbers = candidates.filter { $0.score == worst }.map(\.number).sorted()
        let first = zip(try keys(numbers), numbers).sorted { $0.0.lexicographicallyPrecedes($1.0) }.prefix(heap.count - better.count)
        // The worst first, an array is a heap.
        heap = (better + first.map { (worst, $0.1) }).sorted(by: isWorse)
        ties.removeAll(keepingCapacity: true)
        lastKey = first.last?.0
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
            if dropped.score == heap[0].score, !isOrderedByKey {
                ties.append(dropped)
            } else {
                ties.removeAll(keepingCapacity: true)
                lastKey = nil
            }
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
