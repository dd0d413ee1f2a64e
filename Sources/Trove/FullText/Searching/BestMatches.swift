/// The best documents of a search, gathered one by one in memory for as many as are wanted.
struct BestMatches {
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
