import TroveStorage

/// Memory in which a transaction puts prefix and key together for a call of the library.
final class StoredKey {
    private let start = UnsafeMutableRawPointer.allocate(
        byteCount: KeyPrefix.size + StorageLimits.maxKeySize, alignment: 8)
    private(set) var count: Int32 = 0

    deinit { start.deallocate() }

    var pointer: UnsafeRawPointer { UnsafeRawPointer(start) }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Int(count)) }

    /// Puts the key of an entry together; false when no entry can have it.
    @inline(__always)
    func set(_ key: RawSpan, in number: UInt32) -> Bool {
        guard key.byteCount > 0, key.byteCount <= StorageLimits.maxKeySize else { return false }
        start.storeBytes(of: number.bigEndian, as: UInt32.self)
        key.withUnsafeBytes { (start + KeyPrefix.size).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        count = Int32(KeyPrefix.size + key.byteCount)
        return true
    }
}
