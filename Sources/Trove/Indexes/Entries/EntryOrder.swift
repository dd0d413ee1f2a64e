#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The changes of an arena in the order of their keys, those of one key in the order in which they were made.
///
/// Eight bytes of each key are sorted by radix (least significant digit first, which is stable), after those that all keys share; only
/// changes that agree in them are compared whole.
struct EntryOrder: ~Copyable {
    struct Slot {
        /// Eight bytes of the key, the first most significant.
        var prefix: UInt64
        /// Where in the arena the change is.
        var offset: UInt32
        var keySize: UInt32
    }

    /// Owned, `count` elements.
    private let slots: UnsafeMutablePointer<Slot>
    let count: Int

    init(_ arena: borrowing EntryArena) {
        count = arena.count
        slots = .allocate(capacity: max(1, count))
        var offset = 0
        for position in 0..<count {
            let key = arena.key(at: offset)
            (slots + position).initialize(to: Slot(prefix: 0, offset: UInt32(offset), keySize: UInt32(key.count)))
            offset = arena.next(offset)
        }
        let sorter = EntrySorter(base: UnsafeRawPointer(arena.bytes.base))
        sorter.sort(UnsafeMutableBufferPointer(start: slots, count: count))
    }

    deinit { slots.deallocate() }

    /// The offset in the arena of the change at this position of the order.
    func offset(_ position: Int) -> Int { Int(slots[position].offset) }

    /// Whether two neighbours are changes of one key.
    func haveSameKey(_ first: Int, _ second: Int, in arena: borrowing EntryArena) -> Bool {
        let (left, right) = (slots[first], slots[second])
        guard left.prefix == right.prefix, left.keySize == right.keySize else { return false }
        return memcmp(arena.key(at: Int(left.offset)).baseAddress!, arena.key(at: Int(right.offset)).baseAddress!, Int(left.keySize)) == 0
    }
}

/// Sorts slots by the keys they stand for, whose memory `base` is; both live as long as the sort.
private struct EntrySorter {
    typealias Slots = UnsafeMutableBufferPointer<EntryOrder.Slot>

    let base: UnsafeRawPointer
    /// Below this many, comparing is faster than counting.
    private static let radixMinimum = 512

    private func key(_ slot: EntryOrder.Slot) -> UnsafeRawPointer { base + Int(slot.offset) + EntryArena.headerSize }

    func sort(_ slots: Slots) {
        guard slots.count > 1 else { return }
        sort(slots, from: sharedSize(slots))
    }

    /// How many bytes at the beginning all keys share.
    private func sharedSize(_ slots: Slots) -> Int {
        let first = slots[0]
        var shared = Int(first.keySize)
        for slot in slots.dropFirst() where shared > 0 {
            shared = min(shared, Int(slot.keySize))
            let (left, right) = (key(first), key(slot))
            if memcmp(left, right, shared) == 0 { continue }
            var size = 0
            while left.load(fromByteOffset: size, as: UInt8.self) == right.load(fromByteOffset: size, as: UInt8.self) { size += 1 }
            shared = size
        }
        return shared
    }

    /// Sorts slots whose keys share `depth` bytes.
    private func sort(_ slots: Slots, from depth: Int) {
        for position in slots.indices { slots[position].prefix = prefix(slots[position], depth) }
        if slots.count < Self.radixMinimum {
            return sort(slots, comparingFrom: depth + 8)
        }
        sortByPrefix(slots)
        var start = 0
        for end in 1...slots.count where end == slots.count || slots[end].prefix != slots[start].prefix {
            if end - start > 1 { sortEqual(Slots(rebasing: slots[start..<end]), from: depth + 8) }
            start = end
        }
    }

    /// Sorts slots whose keys agree up to `depth`, but that shorter keys may have ended before.
    private func sortEqual(_ slots: Slots, from depth: Int) {
        // Those of one value are mostly appended in the order of the records.
        if (1..<slots.count).allSatisfy({ !precedes(slots[$0], slots[$0 - 1], from: depth) }) { return }
        // With eight bytes left in each, the next ones tell as the first did. `prefix` must stay comparable between neighbours of other runs,
        // and is: only whether it is equal matters from here on, together with the whole keys.
        if slots.count >= Self.radixMinimum, slots.allSatisfy({ Int($0.keySize) >= depth + 8 }) { return sort(slots, from: depth) }
        sort(slots, comparingFrom: depth)
    }

    private func sort(_ slots: Slots, comparingFrom depth: Int) {
        var slots = slots
        slots.sort { precedes($0, $1, from: depth) }
    }

    private func prefix(_ slot: EntryOrder.Slot, _ depth: Int) -> UInt64 {
        let size = Int(slot.keySize)
        if size >= depth + 8 { return UInt64(bigEndian: key(slot).loadUnaligned(fromByteOffset: depth, as: UInt64.self)) }
        var prefix: UInt64 = 0
        for position in depth..<depth + 8 {
            prefix = prefix << 8 | (position < size ? UInt64(key(slot).load(fromByteOffset: position, as: UInt8.self)) : 0)
        }
        return prefix
    }

    /// Compares by prefix, by the bytes from `depth` on, by length, and at last by age.
    private func precedes(_ left: EntryOrder.Slot, _ right: EntryOrder.Slot, from depth: Int) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        let common = Int(min(left.keySize, right.keySize)) - depth
        if common > 0 {
            let order = memcmp(key(left) + depth, key(right) + depth, common)
            if order != 0 { return order < 0 }
        }
        return left.keySize != right.keySize ? left.keySize < right.keySize : left.offset < right.offset
    }

    private func sortByPrefix(_ slots: Slots) {
        let other = UnsafeMutablePointer<EntryOrder.Slot>.allocate(capacity: slots.count)
        defer { other.deallocate() }
        var counts = [Int](repeating: 0, count: 8 * 256)
        counts.withUnsafeMutableBufferPointer { counts in
            for slot in slots {
                for digit in 0..<8 { counts[digit << 8 | Int(truncatingIfNeeded: slot.prefix >> UInt64(digit * 8) & 0xFF)] += 1 }
            }
            var source = slots.baseAddress!
            var target = other
            for digit in 0..<8 {
                let shift = UInt64(digit * 8)
                let row = digit << 8
                // A digit that all share moves nothing.
                if counts[row | Int(truncatingIfNeeded: source[0].prefix >> shift & 0xFF)] == slots.count { continue }
                var sum = 0
                for value in row..<row + 256 {
                    let count = counts[value]
                    counts[value] = sum
                    sum += count
                }
                for position in 0..<slots.count {
                    let place = row | Int(truncatingIfNeeded: source[position].prefix >> shift & 0xFF)
                    target[counts[place]] = source[position]
                    counts[place] += 1
                }
                swap(&source, &target)
            }
            if source != slots.baseAddress! { slots.baseAddress!.update(from: source, count: slots.count) }
        }
    }
}
