/// Changes of the cells. The caller holds the only reference to the node.
extension TreeNode {
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
