/// Keys, each once and numbered in the order in which they came: one buffer and one hash table, not an array each.
///
/// Its properties are accessed without Swift's checks of exclusivity: nothing that it calls while it changes them calls it.
final class KeyTable {
    @exclusivity(unchecked) private(set) var keys = KeyList()
    /// Open addressing with steps of one; a slot has a key's number and one, or 0. Never more than half full.
    @exclusivity(unchecked) private var slots: [UInt32] = []

    var count: Int { keys.count }

    /// A copy of a key.
    subscript(number: Int) -> [UInt8] { keys[number] }

    /// The number of a key, which is put in when it is new.
    func number(adding key: UnsafeRawBufferPointer) -> (number: Int, isNew: Bool) {
        if (count + 1) * 2 > slots.count { grow() }
        let slot = slot(of: key)
        if slots[slot] != 0 { return (Int(slots[slot]) - 1, false) }
        slots[slot] = UInt32(count + 1)
        keys.append(key)
        return (count - 1, true)
    }

    /// The number of a key; nil when it is not here.
    func number(of key: UnsafeRawBufferPointer) -> Int? {
        if slots.isEmpty { return nil }
        let number = slots[slot(of: key)]
        return number == 0 ? nil : Int(number) - 1
    }

    /// Calls `body` with a key, whose bytes are valid during the call.
    @inline(__always)
    func withKey<Result>(_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try keys.bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[keys.range(number)])) }
    }

    /// Whether one key is below another.
    func precedes(_ left: Int, _ right: Int) -> Bool {
        keys.bytes.withUnsafeBytes { buffer in
            KeyList.compare(
                UnsafeRawBufferPointer(rebasing: buffer[keys.range(left)]), UnsafeRawBufferPointer(rebasing: buffer[keys.range(right)])) < 0
        }
    }

    /// The numbers in the order of their keys.
    func sorted(_ numbers: [Int]) -> [Int] {
        // Often they are in order: they were read in order.
        if !zip(numbers, numbers.dropFirst()).contains(where: { precedes($1, $0) }) { return numbers }
        guard let width = keys.commonWidth, width <= 16 else { return numbers.sorted { precedes($0, $1) } }
        // Short keys, such as object ids, are compared as numbers.
        var words: [(key: UInt128, number: Int)] = numbers.map { number in
            var word: UInt128 = 0
            withUnsafeMutableBytes(of: &word) { word in withKey(number) { word.copyMemory(from: $0) } }
            return (UInt128(bigEndian: word), number)
        }
        words.sort { $0.key < $1.key }
        return words.map(\.number)
    }

    func removeAll() {
        if count == 0 { return }
        keys.removeAll()
        // A table that was large once is not cleared for each small use after it.
        if slots.count > 1_024 { slots = [] } else { for slot in slots.indices { slots[slot] = 0 } }
    }

    private func slot(of key: UnsafeRawBufferPointer) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: Checksum.hash(key)) & mask
        keys.bytes.withUnsafeBytes { buffer in
            while slots[slot] != 0 {
                let range = keys.range(Int(slots[slot]) - 1)
                if range.count == key.count, ByteOrder.areEqual(UnsafeRawBufferPointer(rebasing: buffer[range]), key) { return }
                slot = (slot + 1) & mask
            }
        }
        return slot
    }

    private func grow() {
        slots = [UInt32](repeating: 0, count: max(16, slots.count * 2))
        let mask = slots.count - 1
        for number in 0..<count {
            // The keys differ: a free slot will do.
            var slot = withKey(number) { Int(truncatingIfNeeded: Checksum.hash($0)) & mask }
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(number + 1)
        }
    }
}
