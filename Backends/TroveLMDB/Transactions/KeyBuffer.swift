import TroveStorage

/// Room for one key, taken when it is first needed. Its owner calls ``free()`` once.
struct KeyBuffer {
    private var memory: UnsafeMutableRawPointer?
    private var count = 0

    /// The key kept last.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    /// Keeps a copy of a stored key.
    @inline(__always)
    mutating func keep(_ key: UnsafeRawBufferPointer) {
        if memory == nil { memory = .allocate(byteCount: StorageLimits.maxKeySize + 1, alignment: 8) }
        count = min(key.count, StorageLimits.maxKeySize + 1)
        if count > 0 { memory.unsafelyUnwrapped.copyMemory(from: key.baseAddress.unsafelyUnwrapped, byteCount: count) }
    }

    mutating func free() {
        memory?.deallocate()
        memory = nil
        count = 0
    }
}
