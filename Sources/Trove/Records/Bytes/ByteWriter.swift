/// A growing buffer of bytes that values append themselves to.
///
/// It owns its memory and is not copyable, so nothing can hold on to the pointer. Growing is
/// out of line; appending to room that is there costs a compare and a store.
public struct ByteWriter: ~Copyable {
    /// Lives as long as this value; `capacity` bytes, of which `count` are filled.
    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    /// The number of bytes written.
    @usableFromInline var count = 0
    /// How many containers of a nested value are open.
    var depth = 0

    init(capacity: Int = 256) {
        base = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    deinit {
        base.deallocate()
    }

    /// Makes room for `extra` bytes.
    @inlinable @inline(__always)
    mutating func reserve(_ extra: Int) {
        if count &+ extra > capacity { grow(extra) }
    }

    @usableFromInline mutating func grow(_ extra: Int) {
        let newCapacity = max(capacity * 2, count + extra)
        let newBase = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
        newBase.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = newBase
        capacity = newCapacity
    }

    /// Appends the bytes of a trivial value as they are in memory; integers are made little-endian by the caller.
    @inlinable @inline(__always)
    mutating func append<Value: BitwiseCopyable>(_ value: Value) {
        reserve(MemoryLayout<Value>.size)
        base.storeBytes(of: value, toByteOffset: count, as: Value.self)
        count &+= MemoryLayout<Value>.size
    }

    /// Appends the bytes of `buffer`.
    @inlinable
    mutating func append(_ buffer: UnsafeRawBufferPointer) {
        reserve(buffer.count)
        if let source = buffer.baseAddress { (base + count).copyMemory(from: source, byteCount: buffer.count) }
        count &+= buffer.count
    }

    /// Appends the UTF-8 bytes of a string.
    @inlinable
    mutating func append(utf8 string: String) {
        // Without a copy where the string's bytes lie in one piece, as those of every native string do.
        if string.utf8.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) != nil { return }
        var string = string
        string.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends an unsigned integer in groups of seven bits, the lowest first, the high bit set on all but the last (LEB128).
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// A copy of the bytes written from `start` on.
    func bytes(from start: Int = 0) -> [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: base + start, count: count - start))
    }

    /// Calls `body` with the bytes written.
    func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: count).bytes)
    }
}
