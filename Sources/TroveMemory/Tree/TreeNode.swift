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
    // The checks of exclusive access cost more than the accesses; who may change a node is said above.
    @exclusivity(unchecked) private(set) var block: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var capacity: Int
    @exclusivity(unchecked) private(set) var count = 0
    /// The lowest offset in use by cell bytes.
    @exclusivity(unchecked) private var heapStart: Int
    /// Bytes above `heapStart` that no cell uses.
    @exclusivity(unchecked) private var garbage = 0
    @exclusivity(unchecked) private var largeCount = 0
    /// All keys that are looked at begin with the same bytes, at least so many.
    @exclusivity(unchecked) private(set) var prefixSize = 0
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

    private func large(_ slot: Slot) -> Unmanaged<LargeValue> {
        block.loadUnaligned(fromByteOffset: Int(slot.offset) + Int(slot.keySize), as: Unmanaged<LargeValue>.self)
    }

    private func forEachLarge(in positions: Range<Int>, _ body: (Unmanaged<LargeValue>) -> Void) {
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

    // MARK: Changing; the caller holds the only reference

    /// Puts an entry at a position of a leaf; returns false, changing nothing, when there is no room.
    func insertEntry(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, at position: Int) -> Bool {
        let isLarge = value.count > Self.inlineLimit
        let size = key.count + (isLarge ? MemoryLayout<Unmanaged<LargeValue>>.size : value.count)
        guard makeRoom(for: size + MemoryLayout<Slot>.stride) else { return false }
        let target = openCell(at: position, key: key, size: size, valueSize: UInt32(value.count) | (isLarge ? Self.largeFlag : 0))
        if isLarge {
            target.storeBytes(of: Unmanaged.passRetained(LargeValue(copying: value)), as: Unmanaged<LargeValue>.self)
            largeCount += 1
        } else if let source = value.baseAddress {
            target.copyMemory(from: source, byteCount: value.count)
        }
        total += 1
        keepPrefix()
        return true
    }

    /// Overwrites the value of a leaf's cell where it stands; returns false, changing nothing, when its size differs.
    func overwriteValue(at position: Int, with value: UnsafeRawBufferPointer) -> Bool {
        let slot = slot(position)
        guard slot.valueSize & Self.largeFlag == 0, Int(slot.valueSize) == value.count else { return false }
        if let source = value.baseAddress {
            (block + Int(slot.offset) + Int(slot.keySize)).copyMemory(from: source, byteCount: value.count)
        }
        return true
    }

    /// Puts a child at a position of a branch; returns false, changing nothing, when there is no room.
    func insertChild(_ child: TreeNode, from key: UnsafeRawBufferPointer, at position: Int) -> Bool {
        guard count < Self.maxChildren, makeRoom(for: key.count + MemoryLayout<Slot>.stride) else { return false }
        _ = openCell(at: position, key: key, size: key.count, valueSize: 0)
        children.insert(child, at: position)
        total += child.total
        // A child put first makes searches look at the key that was the first.
        if position == 0 { refreshHeads() } else { keepPrefix() }
        return true
    }

    /// Adds cells of another node of the same level at the end, the first one under `firstKey` when that is given.
    /// The caller has seen that they fit.
    func append(_ positions: Range<Int>, of other: TreeNode, firstKey: UnsafeRawBufferPointer? = nil) {
        var size = positions.count * MemoryLayout<Slot>.stride + (firstKey?.count ?? 0)
        for position in positions { size += storedSize(other.slot(position)) }
        let hasRoom = makeRoom(for: size)
        precondition(hasRoom, "the cells must fit")
        for position in positions {
            let slot = other.slot(position)
            let key = position == positions.lowerBound ? firstKey ?? other.key(position) : other.key(position)
            let valueSize = storedSize(slot) - Int(slot.keySize)
            let target = openCell(at: count, key: key, size: key.count + valueSize, valueSize: slot.valueSize)
            target.copyMemory(from: other.block + Int(slot.offset) + Int(slot.keySize), byteCount: valueSize)
            if slot.valueSize & Self.largeFlag != 0 {
                _ = other.large(slot).retain()
                largeCount += 1
            }
        }
        refreshHeads()
        if isLeaf {
            total += positions.count
        } else {
            for child in other.children[positions] {
                children.append(child)
                total += child.total
            }
        }
    }

    /// Removes cells with their values or children.
    func remove(_ positions: Range<Int>) {
        if positions.isEmpty { return }
        for position in positions { garbage += storedSize(slot(position)) }
        forEachLarge(in: positions) {
            $0.release()
            largeCount -= 1
        }
        if isLeaf {
            total -= positions.count
        } else {
            for child in children[positions] { total -= child.total }
            children.removeSubrange(positions)
        }
        let stride = MemoryLayout<Slot>.stride
        (block + positions.lowerBound * stride).copyMemory(
            from: block + positions.upperBound * stride, byteCount: (count - positions.upperBound) * stride)
        count -= positions.count
        if count == 0 {
            heapStart = capacity
            garbage = 0
        }
    }

    /// Makes a slot at `position` and space for `size` bytes, writes the key there and returns the place for the rest.
    private func openCell(at position: Int, key: UnsafeRawBufferPointer, size: Int, valueSize: UInt32) -> UnsafeMutableRawPointer {
        let stride = MemoryLayout<Slot>.stride
        let place = block + position * stride
        (place + stride).copyMemory(from: place, byteCount: (count - position) * stride)
        heapStart -= size
        let slot = Slot(
            head: Self.head(of: key, after: prefixSize), offset: UInt16(heapStart), keySize: UInt16(key.count), valueSize: valueSize)
        place.storeBytes(of: slot, as: Slot.self)
        count += 1
        if let source = key.baseAddress { (block + heapStart).copyMemory(from: source, byteCount: key.count) }
        return block + heapStart + key.count
    }

    /// Finds the common prefix of the keys anew, and the heads after it.
    func refreshHeads() {
        guard count > firstSearched else { return }
        prefixSize = Self.commonPrefix(of: key(firstSearched), and: key(count - 1))
        for position in firstSearched..<count {
            var slot = slot(position)
            slot.head = Self.head(of: key(position), after: prefixSize)
            block.storeBytes(of: slot, toByteOffset: position * MemoryLayout<Slot>.stride, as: Slot.self)
        }
    }

    /// Sees to it that `size` more bytes fit, by packing the cells or by a larger block; false when the largest is full.
    private func makeRoom(for size: Int) -> Bool {
        if heapStart - count * MemoryLayout<Slot>.stride >= size { return true }
        let needed = usedBytes + size
        guard needed <= Self.maxCapacity else { return false }
        var newCapacity = capacity
        while newCapacity < needed { newCapacity *= 2 }
        repack(capacity: newCapacity)
        return true
    }

    private func repack(capacity newCapacity: Int) {
        let newBlock = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 8)
        var offset = newCapacity
        for position in 0..<count {
            var slot = slot(position)
            let size = storedSize(slot)
            offset -= size
            (newBlock + offset).copyMemory(from: block + Int(slot.offset), byteCount: size)
            slot.offset = UInt16(offset)
            newBlock.storeBytes(of: slot, toByteOffset: position * MemoryLayout<Slot>.stride, as: Slot.self)
        }
        block.deallocate()
        block = newBlock
        capacity = newCapacity
        heapStart = offset
        garbage = 0
    }
}
