#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A set of byte strings that numbers them in the order in which they came.
///
/// It owns its memory, is not copyable and hands out its bytes only as pointers that are valid until the next change.
struct ByteTable: ~Copyable {
    private struct Entry: BitwiseCopyable {
        let offset: Int
        let length: UInt32
        let hash: UInt32
    }

    /// All three live as long as this value.
    private var arena: UnsafeMutablePointer<UInt8>
    private var entries: UnsafeMutablePointer<Entry>
    /// Numbers of entries plus one, 0 where free; a power of two of them, at most half filled.
    private var slots: UnsafeMutablePointer<UInt32>
    private var arenaCapacity = 4096
    private var entryCapacity = 256
    private var slotCapacity = 512
    private var arenaCount = 0
    private(set) var count = 0
    /// How much memory an emptied table keeps, in bytes: clearing much takes longer than asking for it again.
    private static let keptSize = 1 << 20
    /// Differs between tables, so that nobody can choose strings that collide.
    private let seed: UInt64

    init() {
        arena = .allocate(capacity: arenaCapacity)
        entries = .allocate(capacity: entryCapacity)
        slots = .allocate(capacity: slotCapacity)
        slots.initialize(repeating: 0, count: slotCapacity)
        seed = UInt64.random(in: .min ... .max)
    }

    deinit {
        arena.deallocate()
        entries.deallocate()
        slots.deallocate()
    }

    /// The memory taken, in bytes.
    var memorySize: Int { arenaCapacity + entryCapacity * MemoryLayout<Entry>.stride + slotCapacity * MemoryLayout<UInt32>.stride }

    /// The bytes with this number.
    @inline(__always)
    subscript(number: Int) -> UnsafeBufferPointer<UInt8> {
        let entry = entries[number]
        return UnsafeBufferPointer(start: arena + entry.offset, count: Int(entry.length))
    }

    /// The number of `bytes`, which are added when they are new.
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>) -> (number: Int, isNew: Bool) {
        let hash = hash(of: bytes)
        var slot = Int(truncatingIfNeeded: hash) & (slotCapacity - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            let entry = entries[number]
            if entry.hash == UInt32(truncatingIfNeeded: hash >> 32), Int(entry.length) == bytes.count,
                Self.isEqual(arena + entry.offset, bytes)
            {
                return (number, false)
            }
            slot = (slot &+ 1) & (slotCapacity - 1)
        }
        let number = count
        append(bytes, hash)
        slots[slot] = UInt32(count)
        if count * 2 > slotCapacity { growSlots() }
        return (number, true)
    }

    /// The numbers in the order of their bytes.
    func sortedNumbers() -> [Int] {
        // The first eight bytes decide nearly always, and comparing them touches nothing else.
        var keys: [(prefix: UInt64, number: Int)] = []
        keys.reserveCapacity(count)
        for number in 0..<count { keys.append((prefix(of: self[number]), number)) }
        let (arena, entries) = (arena, entries)
        keys.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let (a, b) = (entries[left.number], entries[right.number])
            let order = memcmp(arena + a.offset, arena + b.offset, Int(min(a.length, b.length)))
            return order == 0 ? a.length < b.length : order < 0
        }
        return keys.map(\.number)
    }

    /// Forgets everything and keeps the memory.
    mutating func removeAll() {
        if memorySize > Self.keptSize {
            self = ByteTable()
            return
        }
        count = 0
        arenaCount = 0
        slots.update(repeating: 0, count: slotCapacity)
    }

    // MARK: Memory

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt64) {
        if arenaCount + bytes.count > arenaCapacity {
            let capacity = max(arenaCapacity * 2, arenaCount + bytes.count)
            let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
            grown.update(from: arena, count: arenaCount)
            arena.deallocate()
            (arena, arenaCapacity) = (grown, capacity)
        }
        if count == entryCapacity {
            let grown = UnsafeMutablePointer<Entry>.allocate(capacity: entryCapacity * 2)
            grown.update(from: entries, count: count)
            entries.deallocate()
            (entries, entryCapacity) = (grown, entryCapacity * 2)
        }
        if let base = bytes.baseAddress { (arena + arenaCount).update(from: base, count: bytes.count) }
        entries[count] = Entry(offset: arenaCount, length: UInt32(bytes.count), hash: UInt32(truncatingIfNeeded: hash >> 32))
        arenaCount += bytes.count
        count += 1
    }

    private mutating func growSlots() {
        slots.deallocate()
        slotCapacity *= 2
        slots = .allocate(capacity: slotCapacity)
        slots.initialize(repeating: 0, count: slotCapacity)
        for number in 0..<count {
            var slot = Int(truncatingIfNeeded: hash(of: self[number])) & (slotCapacity - 1)
            while slots[slot] != 0 { slot = (slot &+ 1) & (slotCapacity - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    // MARK: Bytes

    private static func isEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = right.baseAddress else { return true }
        return memcmp(left, base, right.count) == 0
    }

    /// Multiplies eight bytes at a time to 128 bits and folds those, as wyhash does.
    @inline(__always)
    private func hash(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = seed ^ UInt64(truncatingIfNeeded: raw.count)
        var offset = 0
        while offset + 8 <= raw.count {
            hash = Self.mix(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        if offset < raw.count {
            var rest: UInt64 = 0
            while offset < raw.count {
                rest = rest << 8 | UInt64(raw[offset])
                offset += 1
            }
            hash = Self.mix(hash ^ rest ^ 0x5851_F42D_4C95_7F2D)
        }
        return Self.mix(hash)
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }

    @inline(__always)
    private func prefix(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        if bytes.count >= 8 { return UInt64(bigEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self)) }
        var prefix: UInt64 = 0
        for index in 0..<bytes.count { prefix |= UInt64(bytes[index]) << UInt64(56 - 8 * index) }
        return prefix
    }
}
