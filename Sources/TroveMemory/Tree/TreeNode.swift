import TroveStorage

/// A node of a ``Tree``: cells in key order, in one block of memory.
///
/// A leaf's cells are entries; a branch's cell holds the least key that its child may have (the first cell's key
/// is never looked at). The block begins with fixed-size slots in key order; the bytes they point at fill it from the end.
/// Values over ``inlineLimit`` bytes are in ``LargeValue`` objects.
///
/// Unchecked, because it is changed: only by the write transaction, and only while that holds the single
/// reference to the node and to every node above it (`isKnownUniquelyReferenced`). A node that a snapshot
/// can reach has a second reference on its path, so it is copied instead and never changes.
final class TreeNode: @unchecked Sendable {
    /// Where a cell's bytes are and how long its key and value are.
    struct Slot {
        /// The eight bytes of the key that follow the node's common prefix, as a number; zeros where the key is shorter.
        /// A search looks at these first, so it touches few of the keys.
        var head: UInt64
        var offset: UInt16
        var keySize: UInt16
        /// The value's size; with ``largeFlag`` when a reference to a ``LargeValue`` is stored instead.
        var valueSize: UInt32
    }

    /// The largest block. Four cells of the greatest size fit, so a split always makes room.
    static let maxCapacity = 4_096
    static let minCapacity = 512
    /// The most children of a branch. A copy of a branch counts a reference to each child, so a small number
    /// makes small transactions fast; a larger one would make the tree flatter.
    static let maxChildren = 32
    /// The longest value that is stored in the block.
    static let inlineLimit = 480
    static let largeFlag: UInt32 = 1 << 31

    /// 0 for a leaf.
    let level: Int
    // The checks of exclusive access cost more than the accesses; who may change a node is said above, and `TreeNode+Changing.swift` alone does, but for
    // `total` and `children`.
    @exclusivity(unchecked) var block: UnsafeMutableRawPointer
    @exclusivity(unchecked) var capacity: Int
    @exclusivity(unchecked) var count = 0
    /// The lowest offset in use by cell bytes.
    @exclusivity(unchecked) var heapStart: Int
    /// Bytes above `heapStart` that no cell uses.
    @exclusivity(unchecked) var garbage = 0
    @exclusivity(unchecked) var largeCount = 0
    /// All keys that are looked at begin with the same bytes, at least so many.
    @exclusivity(unchecked) var prefixSize = 0
    /// The number of entries in the leaves below, or in the leaf itself.
    @exclusivity(unchecked) var total = 0
    /// A branch's children, one for each cell.
    @exclusivity(unchecked) var children = ContiguousArray<TreeNode>()

    init(level: Int, capacity: Int = minCapacity) {
        self.level = level
        self.capacity = capacity
        heapStart = capacity
        block = .allocate(byteCount: capacity, alignment: 8)
    }

    /// A copy that shares the children and the large values.
    init(copying other: TreeNode) {
        level = other.level
        capacity = other.capacity
        count = other.count
        heapStart = other.heapStart
        garbage = other.garbage
        largeCount = other.largeCount
        prefixSize = other.prefixSize
        total = other.total
        children = other.children
        block = .allocate(byteCount: capacity, alignment: 8)
        block.copyMemory(from: other.block, byteCount: count * MemoryLayout<Slot>.stride)
        (block + heapStart).copyMemory(from: other.block + heapStart, byteCount: capacity - heapStart)
        forEachLarge(in: 0..<count) { _ = $0.retain() }
    }

    deinit {
        forEachLarge(in: 0..<count) { $0.release() }
        block.deallocate()
    }

    // MARK: Reading

    var isLeaf: Bool { level == 0 }

    /// The first cell whose key searches look at.
    var firstSearched: Int { isLeaf ? 0 : 1 }

    /// The bytes that slots and cells use.
    var usedBytes: Int { count * MemoryLayout<Slot>.stride + capacity - heapStart - garbage }

    @inline(__always)
    func slot(_ position: Int) -> Slot {
        block.load(fromByteOffset: position * MemoryLayout<Slot>.stride, as: Slot.self)
    }

    /// The key of a cell; valid while the node is neither changed nor released.
    @inline(__always)
    func key(_ position: Int) -> UnsafeRawBufferPointer {
        let slot = slot(position)
        return UnsafeRawBufferPointer(start: block + Int(slot.offset), count: Int(slot.keySize))
    }

    /// The value of a leaf's cell; valid while the node is neither changed nor released.
    @inline(__always)
    func withValue<Result>(_ position: Int, _ body: (RawSpan) throws -> Result) rethrows -> Result {
        let slot = slot(position)
        if slot.valueSize & Self.largeFlag != 0 {
            let bytes = large(slot).takeUnretainedValue().bytes
            return try body(bytes.span.bytes)
        }
        let bytes = UnsafeRawBufferPointer(
            start: block + Int(slot.offset) + Int(slot.keySize), count: Int(slot.valueSize))
        return try body(bytes.bytes)
    }

    func large(_ slot: Slot) -> Unmanaged<LargeValue> {
        block.loadUnaligned(fromByteOffset: Int(slot.offset) + Int(slot.keySize), as: Unmanaged<LargeValue>.self)
    }

    func forEachLarge(in positions: Range<Int>, _ body: (Unmanaged<LargeValue>) -> Void) {
        guard largeCount > 0 else { return }
        for position in positions {
            let slot = slot(position)
            if slot.valueSize & Self.largeFlag != 0 { body(large(slot)) }
        }
    }

    /// The bytes a cell takes, apart from its slot.
    func storedSize(_ slot: Slot) -> Int {
        let valueSize = slot.valueSize & Self.largeFlag != 0 ? MemoryLayout<Unmanaged<LargeValue>>.size : Int(slot.valueSize)
        return Int(slot.keySize) + valueSize
    }
}
