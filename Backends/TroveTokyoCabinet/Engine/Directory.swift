/// The keyspaces of one committed state, or of the write transaction that changes it.
///
/// In the tree each is an entry of keyspace 0: the name, and as value number (4 bytes) and count (8 bytes).
struct Directory {
    /// The count of a keyspace that has to be counted.
    static let unknownCount = -1

    private(set) var numbers: [[UInt8]: UInt32] = [:]
    /// The number of entries by keyspace number, which also tells which numbers there are.
    private var counts: [UInt32: Int] = [:]
    /// What `counts` lacks for the keyspace that was changed last; a load changes one keyspace many times.
    private var lastChange: (number: UInt32, difference: Int) = (KeyPrefix.directory, 0)

    var nextNumber: UInt32 = 1

    var count: Int { numbers.count }

    func contains(_ number: UInt32) -> Bool { counts[number] != nil }

    func name(of number: UInt32) -> [UInt8]? { numbers.first { $0.value == number }?.key }

    mutating func add(_ name: [UInt8], number: UInt32, count: Int) {
        numbers[name] = number
        if number == lastChange.number { lastChange.difference = 0 }
        counts[number] = count
    }

    mutating func remove(_ name: [UInt8]) {
        guard let number = numbers.removeValue(forKey: name) else { return }
        counts[number] = nil
    }

    /// The number of entries; nil when it has to be counted.
    func count(of number: UInt32) -> Int? {
        guard let count = counts[number], count != Self.unknownCount else { return nil }
        return number == lastChange.number ? count + lastChange.difference : count
    }

    mutating func setCount(_ count: Int, of number: UInt32) {
        if counts[number] != nil { counts[number] = count }
        if number == lastChange.number { lastChange.difference = 0 }
    }

    @inline(__always)
    mutating func adjustCount(by difference: Int, of number: UInt32) {
        if number != lastChange.number { beginChanges(of: number) }
        lastChange.difference += difference
    }

    private mutating func beginChanges(of number: UInt32) {
        if let count = count(of: lastChange.number) { counts[lastChange.number] = count }
        lastChange = (number, 0)
    }

    // MARK: Stored form

    /// What the tree holds for a keyspace.
    static func value(number: UInt32, count: Int) -> [UInt8] { number.bigEndianBytes + Int64(count).bigEndianBytes }

    /// Takes in an entry of the tree, without its count when that is old; false when it is none.
    mutating func add(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, countsAreStale: Bool) -> Bool {
        guard key.count > KeyPrefix.size, value.count == 12 else { return false }
        let number = UInt32(bigEndianBytes: value[..<4])
        let count = Int64(bigEndianBytes: value[4...])
        guard number != KeyPrefix.directory, number < nextNumber, counts[number] == nil, count >= Int64(Self.unknownCount) else {
            return false
        }
        add(Array(key.dropFirst(KeyPrefix.size)), number: number, count: countsAreStale ? Self.unknownCount : Int(count))
        return true
    }
}
