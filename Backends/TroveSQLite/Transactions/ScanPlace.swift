import TroveStorage

/// The key a scan in a write transaction is at, so that it can begin again there after a change.
struct ScanPlace {
    private let bytes: UnsafeMutableRawPointer?
    private var size = 0
    private var changeCount = 0

    /// - Parameter isNeeded: False in a read, where nothing changes and nothing is remembered.
    init(isNeeded: Bool) {
        // One more byte makes the least key above the longest one.
        let capacity = KeyPrefix.maxSize + StorageLimits.maxKeySize + 1
        bytes = isNeeded ? .allocate(byteCount: capacity, alignment: 1) : nil
    }

    func deallocate() { bytes?.deallocate() }

    @inline(__always)
    mutating func remember(_ key: UnsafeRawBufferPointer, _ changeCount: Int) {
        guard let bytes else { return }
        // Keys are checked when they are stored; a longer one could only be damage, and is cut.
        size = min(key.count, KeyPrefix.maxSize + StorageLimits.maxKeySize)
        bytes.copyMemory(from: key.baseAddress!, byteCount: size)
        self.changeCount = changeCount
    }

    /// Whether something was changed since the key was remembered.
    @inline(__always)
    func isOld(_ changeCount: Int) -> Bool { bytes != nil && self.changeCount != changeCount }

    /// The bound for the statement that goes on after the key.
    func bound(_ order: ScanOrder) -> UnsafeRawBufferPointer {
        guard let bytes, order == .ascending else { return UnsafeRawBufferPointer(start: bytes, count: size) }
        bytes.storeBytes(of: 0, toByteOffset: size, as: UInt8.self)
        return UnsafeRawBufferPointer(start: bytes, count: size + 1)
    }
}
