/// Numbers byte strings in the order of their first appearance: a hash table whose keys lie in one piece of memory.
///
/// A dictionary of arrays would allocate for each lookup; this one copies a key when it is new and nothing else.
struct NumberedKeys: ~Copyable {
    /// The keys, one after the other.
    private var keys = ByteWriter(capacity: 1_024)
    /// Where each key ends; it begins where the one before ends.
    private var ends: [Int] = []
    private var hashes: [UInt64] = []
    /// Numbers plus 1 by hash, 0 for a free slot; a power of two of them, at most half full.
    private var slots = [Int32](repeating: 0, count: 64)
    /// The key that was asked for last: rows in order ask for one many times.
    private var last: Int?

    init() {}

    /// The number of keys.
    var count: Int { ends.count }

    /// How much memory the keys take, about.
    var byteCount: Int { keys.count + count * 32 }

    /// The number of a key, a new one when it has none.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` beyond 2^31 keys.
    mutating func number(of key: UnsafeRawBufferPointer) throws -> Int {
        if let last, isEqual(last, key) { return last }
        let number = try search(key)
        last = number
        return number
    }

    /// The number of a key; nil when it has none.
    func known(_ key: UnsafeRawBufferPointer) -> Int? {
        let number = slots[slot(of: key, Checksum.hash(key))]
        return number == 0 ? nil : Int(number) - 1
    }

    /// The slot of a key, or the free one that it would take.
    private func slot(of key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if hashes[number] == hash, isEqual(number, key) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func search(_ key: UnsafeRawBufferPointer) throws -> Int {
        let hash = Checksum.hash(key)
        let slot = slot(of: key, hash)
        if slots[slot] != 0 { return Int(slots[slot]) - 1 }
        guard count < Int(Int32.max) - 1 else { throw TroveError.invalidQuery(reason: "it has more than two thousand million groups or different values") }
        keys.append(key)
        ends.append(keys.count)
        hashes.append(hash)
        slots[slot] = Int32(count)
        if count * 2 > slots.count { grow() }
        return count - 1
    }

    /// The numbers in the order of their keys' bytes.
    func sorted(_ watch: ReadWatch) throws -> [Int] {
        var watch = watch
        return try (0..<count).sorted { left, right in
            try watch.step()
            return withKey(of: left) { left in withKey(of: right) { right in left.lexicographicallyPrecedes(right) } }
        }
    }

    /// Calls `body` with the key of a number.
    func withKey<Result>(of number: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let start = number == 0 ? 0 : ends[number - 1]
        return try body(UnsafeRawBufferPointer(start: keys.base + start, count: ends[number] - start))
    }

    private func isEqual(_ number: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        withKey(of: number) { ByteOrder.areEqual($0, key) }
    }

    private mutating func grow() {
        slots = [Int32](repeating: 0, count: slots.count * 2)
        for (number, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number + 1)
        }
    }
}
