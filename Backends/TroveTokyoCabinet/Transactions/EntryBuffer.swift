/// A growing piece of memory for copies of entries.
///
/// Bytes are copied out of the library's pages because another reader's call may drop the page they are on.
final class EntryBuffer {
    private(set) var start: UnsafeMutableRawPointer
    private var capacity: Int
    /// The bytes in use.
    private(set) var count = 0

    init(capacity: Int = 1_024) {
        start = .allocate(byteCount: capacity, alignment: 8)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    @inline(__always)
    func removeAll() { count = 0 }

    /// Appends bytes and returns where they begin.
    @inline(__always) @discardableResult
    func append(_ bytes: UnsafeRawPointer, _ size: Int) -> Int {
        let offset = count
        if offset + size > capacity { grow(toHold: offset + size) }
        (start + offset).copyMemory(from: bytes, byteCount: size)
        count = offset + size
        return offset
    }

    /// The bytes from `offset`; valid until the next append.
    @inline(__always)
    func bytes(at offset: Int, _ size: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start + offset, count: size)
    }

    @inline(never)
    private func grow(toHold size: Int) {
        let newCapacity = max(size, capacity * 2)
        let new = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 8)
        new.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = new
        capacity = newCapacity
    }
}
