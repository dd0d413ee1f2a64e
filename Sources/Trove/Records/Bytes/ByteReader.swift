import Foundation

/// Reads values from borrowed bytes, never past their end.
///
/// It is not copyable and handed on as `inout`, inside the closure in which the bytes are valid.
public struct ByteReader: ~Copyable {
    /// Valid during the closure of the engine's read that this reader was made in.
    @usableFromInline let buffer: UnsafeRawBufferPointer
    @usableFromInline var position: Int
    @usableFromInline let end: Int
    /// How many containers of a nested value are open.
    var depth = 0

    init(_ buffer: UnsafeRawBufferPointer) {
        self.buffer = buffer
        position = 0
        end = buffer.count
    }

    /// The bytes left.
    var remaining: Int { end - position }

    /// The next trivial value, as its bytes are in memory.
    mutating func load<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws -> Value {
        let size = MemoryLayout<Value>.size
        guard remaining >= size else { throw Self.truncated }
        defer { position += size }
        return buffer.loadUnaligned(fromByteOffset: position, as: Value.self)
    }

    /// The next byte, left where it is.
    func peek() throws -> UInt8 {
        guard remaining > 0 else { throw Self.truncated }
        return buffer[position]
    }

    /// The next little-endian integer.
    mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type = Value.self) throws -> Value {
        Value(littleEndian: try load())
    }

    /// The next integer that ``ByteWriter/append(varint:)`` wrote.
    mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try load(UInt8.self)
            guard shift < 63 || byte < 2 else { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw TroveError.corruptValue(reason: "an integer is longer than 64 bits")
    }

    /// The next varint, as a count of things of which each takes at least one byte of those left.
    mutating func count() throws -> Int {
        let count = try varint()
        guard count <= UInt64(remaining) else { throw Self.truncated }
        return Int(count)
    }

    /// Calls `body` with the next `count` bytes.
    mutating func take<Result>(_ count: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        guard count >= 0, remaining >= count else { throw Self.truncated }
        defer { position += count }
        return try body(UnsafeRawBufferPointer(rebasing: buffer[position..<position + count]))
    }

    /// The bytes between an earlier position and this one.
    func bytesRead(from start: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: buffer[start..<position])
    }

    /// The next `count` bytes as text.
    mutating func string(count: Int) throws -> String {
        try take(count) { String(storedUTF8: $0) }
    }

    static var truncated: TroveError { .corruptValue(reason: "the bytes end in the middle of a value") }
}
