import TroveStorage

/// What a keyspace should hold: entries in key order, in an array. The oracle of the cases.
struct SortedModel: Hashable, Sendable {
    private(set) var entries: [Entry] = []

    init(_ entries: [Entry] = []) {
        for entry in entries { put(entry.key, entry.value) }
    }

    /// The position of the first entry whose key is `key` or above.
    func position(of key: [UInt8]) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func value(of key: [UInt8]) -> [UInt8]? {
        let position = position(of: key)
        return position < entries.count && entries[position].key == key ? entries[position].value : nil
    }

    mutating func put(_ key: [UInt8], _ value: [UInt8]) {
        let position = position(of: key)
        if position < entries.count && entries[position].key == key {
            entries[position].value = value
        } else {
            entries.insert(Entry(key, value), at: position)
        }
    }

    mutating func insert(_ key: [UInt8], _ value: [UInt8]) -> Bool {
        if self.value(of: key) != nil { return false }
        put(key, value)
        return true
    }

    mutating func delete(_ key: [UInt8]) -> Bool {
        let position = position(of: key)
        guard position < entries.count && entries[position].key == key else { return false }
        entries.remove(at: position)
        return true
    }

    mutating func deleteRange(_ range: KeyRange) -> Int {
        let before = entries.count
        entries.removeAll { range.contains($0.key) }
        return before - entries.count
    }

    /// The first entry of a range that a scan in this order comes to.
    func first(_ range: KeyRange, order: ScanOrder) -> Entry? {
        let place = order == .ascending ? position(of: range.lower) : (range.upper.map(position) ?? entries.count) - 1
        return entries.indices.contains(place) && range.contains(entries[place].key) ? entries[place] : nil
    }
}
