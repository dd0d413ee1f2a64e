#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension TreeNode {
    /// Negative, zero or positive as the cell's key is below, equal to or above `key`, which is not empty.
    @inline(__always)
    private func compareKey(at position: Int, to key: UnsafeRawBufferPointer, start: UnsafeRawPointer) -> Int {
        let slot = slot(position)
        let size = Int(slot.keySize)
        let order = memcmp(block + Int(slot.offset), start, min(size, key.count))
        return order != 0 ? Int(order) : size - key.count
    }

    /// The position of the first cell whose key is `key` or above, and whether it is `key`.
    func lowerBound(of key: UnsafeRawBufferPointer) -> (position: Int, isEqual: Bool) {
        guard let start = key.baseAddress, key.count > 0 else { return (0, false) }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let order = compareKey(at: middle, to: key, start: start)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// The position of the child of a branch that holds `key`, if any does.
    func childPosition(of key: UnsafeRawBufferPointer) -> Int {
        guard let start = key.baseAddress, key.count > 0 else { return 0 }
        var low = 1
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if compareKey(at: middle, to: key, start: start) <= 0 { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
