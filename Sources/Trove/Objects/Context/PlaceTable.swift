/// Places by the hashes of what is at them: open addressing with linear probing (Knuth, The Art of Computer Programming, volume 3, 6.4).
struct PlaceTable {
    /// The hash and the place plus 1; 0 where nothing is. Their number is a power of two.
    private var slots: [UInt64] = []
    /// The number of places.
    private(set) var count = 0

    private var mask: Int { slots.count &- 1 }

    /// The place with this hash for which `isMeant` is true; nil when there is none.
    @inline(__always)
    func place(_ hash: UInt32, where isMeant: (Int) -> Bool) -> Int? {
        if slots.isEmpty { return nil }
        var number = Int(hash) & mask
        while slots[number] != 0 {
            if UInt32(truncatingIfNeeded: slots[number] &>> 32) == hash {
                let place = Self.place(in: slots[number])
                if isMeant(place) { return place }
            }
            number = (number &+ 1) & mask
        }
        return nil
    }

    /// Adds a place, which must not be there yet.
    mutating func insert(_ place: Int, _ hash: UInt32) {
        // Half of the slots are empty, so that a search for what is not there ends after two or three.
        if 2 * (count + 1) > slots.count { grow() }
        count += 1
        put(UInt64(hash) &<< 32 | UInt64(place &+ 1))
    }

    /// Takes a place out, which must be there.
    mutating func remove(_ place: Int, _ hash: UInt32) {
        var hole = Int(hash) & mask
        while Self.place(in: slots[hole]) != place { hole = (hole &+ 1) & mask }
        count -= 1
        // Those behind move up, unless they would come before the slot where the search for them begins.
        var next = hole
        while true {
            next = (next &+ 1) & mask
            let slot = slots[next]
            if slot == 0 { break }
            let home = Int(slot &>> 32) & mask
            if (next &- home) & mask >= (next &- hole) & mask {
                slots[hole] = slot
                hole = next
            }
        }
        slots[hole] = 0
    }

    private static func place(in slot: UInt64) -> Int { Int(slot & 0xFFFF_FFFF) &- 1 }

    private mutating func put(_ slot: UInt64) {
        var number = Int(slot &>> 32) & mask
        while slots[number] != 0 { number = (number &+ 1) & mask }
        slots[number] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: max(16, 2 * old.count))
        for slot in old where slot != 0 { put(slot) }
    }
}
