#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension TreeNode {
    /// The position of the first cell of a leaf whose key is `key` or above, and whether it is `key`.
    func lowerBound(of key: UnsafeRawBufferPointer) -> (position: Int, isEqual: Bool) {
        search(key, from: 0)
    }

    /// The position of the child of a branch that holds `key`, if any does.
    func childPosition(of key: UnsafeRawBufferPointer) -> Int {
        let (position, isEqual) = search(key, from: 1)
        return isEqual ? position : position - 1
    }

    /// The first of the cells from `first` on whose key is `key` or above.
    @inline(__always)
    private func search(_ key: UnsafeRawBufferPointer, from first: Int) -> (position: Int, isEqual: Bool) {
        guard first < count, let start = key.baseAddress, key.count > 0 else { return (first, false) }
        let head = Self.head(of: key, after: prefixSize)
        let position = first + partition(first..<count) { $0 < head }
        let isCandidate = position < count && self.head(position) == head
        // A key that is there is mostly found without a look at any other one.
        let order = isCandidate ? compareKey(at: position, to: key, start: start) : 1
        if order == 0 { return (position, true) }
        if prefixSize > 0 {
            let order = memcmp(block + Int(slot(count - 1).offset), start, min(prefixSize, key.count))
            if order < 0 { return (count, false) }
            if order > 0 || key.count < prefixSize { return (first, false) }
        }
        if order > 0 { return (position, false) }
        // The keys that follow may have the same head.
        var low = position
        var high = position + partition(position..<count) { $0 <= head }
        while low < high {
            let middle = (low + high) / 2
            let order = compareKey(at: middle, to: key, start: start)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// How many of the cells at `positions`, which are not empty, have heads below the division. Without branches,
    /// because the processor could not predict them.
    @inline(__always)
    private func partition(_ positions: Range<Int>, _ isBelow: (UInt64) -> Bool) -> Int {
        var low = positions.lowerBound
        var size = positions.count
        while size > 1 {
            let half = size / 2
            low += isBelow(head(low + half - 1)) ? half : 0
            size -= half
        }
        return low - positions.lowerBound + (isBelow(head(low)) ? 1 : 0)
    }

    @inline(__always)
    private func head(_ position: Int) -> UInt64 {
        block.load(fromByteOffset: position * MemoryLayout<Slot>.stride, as: UInt64.self)
    }

    /// Negative, zero or positive as the cell's key is below, equal to or above `key`, which is not empty.
    @inline(__always)
    private func compareKey(at position: Int, to key: UnsafeRawBufferPointer, start: UnsafeRawPointer) -> Int {
        let slot = slot(position)
        let size = Int(slot.keySize)
        let order = memcmp(block + Int(slot.offset), start, min(size, key.count))
        return order != 0 ? Int(order) : size - key.count
    }

    /// Sees to it that prefix and heads are right after a cell was added.
    func keepPrefix() {
        if count == firstSearched + 1 { return refreshHeads() }
        // What the first and the last key have in common, all have.
        let first = self.key(firstSearched)
        let last = self.key(count - 1)
        if Self.commonPrefix(of: first, and: last, atMost: prefixSize) < prefixSize { refreshHeads() }
    }

    /// Eight bytes of the key from `prefixSize` on, as a number that compares as they do.
    @inline(__always)
    static func head(of key: UnsafeRawBufferPointer, after prefixSize: Int) -> UInt64 {
        if key.count >= prefixSize + 8 {
            return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: prefixSize, as: UInt64.self))
        }
        var head: UInt64 = 0
        var shift: UInt64 = 56
        var offset = prefixSize
        while offset < key.count {
            head |= UInt64(key[offset]) << shift
            shift -= 8
            offset += 1
        }
        return head
    }

    /// How many bytes both keys begin with, counted up to `limit`.
    static func commonPrefix(
        of left: UnsafeRawBufferPointer, and right: UnsafeRawBufferPointer, atMost limit: Int = .max
    ) -> Int {
        let size = min(left.count, right.count, limit)
        var common = 0
        while common < size && left[common] == right[common] { common += 1 }
        return common
    }
}
