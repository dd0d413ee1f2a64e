/// The first few of many results by their sort bytes and keys: a heap with the last of them on top.
struct TopList {
    private struct Item {
        let place: [UInt8]
        let sortSize: Int
    }

    private let capacity: Int
    private var heap: [Item] = []

    /// - Parameter capacity: how many results are kept; at least 1.
    init(_ capacity: Int) {
        self.capacity = capacity
    }

    /// Keeps a result if it is among the first so far. `place` has the bytes of its sort and then its whole key.
    mutating func offer(_ place: RawSpan, sortSize: Int) {
        if heap.count < capacity {
            heap.append(Item(place: [UInt8](copying: place), sortSize: sortSize))
            siftUp(heap.count - 1)
        } else if Self.isBefore(place, heap[0]) {
            heap[0] = Item(place: [UInt8](copying: place), sortSize: sortSize)
            siftDown()
        }
    }

    /// Takes over what another list has kept.
    mutating func offer(_ other: TopList) {
        for item in other.heap { item.place.withUnsafeBytes { offer($0.bytes, sortSize: item.sortSize) } }
    }

    /// The engine's keys of the results in their order.
    func sortedKeys() -> KeyList {
        var keys = KeyList()
        for item in heap.sorted(by: { Self.isBefore($0, $1) }) {
            item.place[item.sortSize...].withUnsafeBytes { whole in
                if let key = RecordKey.key(ofID: whole) { key.withUnsafeBytes { keys.append($0) } } else { keys.append(whole) }
            }
        }
        return keys
    }

    private static func isBefore(_ left: RawSpan, _ right: Item) -> Bool {
        left.withUnsafeBytes { left in right.place.withUnsafeBytes { left.bytes.compare(to: $0.bytes) < 0 } }
    }

    private static func isBefore(_ left: Item, _ right: Item) -> Bool {
        left.place.withUnsafeBytes { isBefore($0.bytes, right) }
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.isBefore(heap[parent], heap[child]) else { return }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while 2 * parent + 1 < heap.count {
            var child = 2 * parent + 1
            if child + 1 < heap.count, Self.isBefore(heap[child], heap[child + 1]) { child += 1 }
            guard Self.isBefore(heap[parent], heap[child]) else { return }
            heap.swapAt(parent, child)
            parent = child
        }
    }
}
