/// Reads the values of an order-preserving key, in the order they were encoded.
///
/// It reads bytes that someone else owns, so it cannot be copied and is handed on as `inout`.
public struct KeyDecoder: ~Copyable {
    /// Valid during the closure this decoder was made in.
    @usableFromInline let buffer: UnsafeRawBufferPointer
    @usableFromInline var position = 0

    @usableFromInline init(_ buffer: UnsafeRawBufferPointer) {
        self.buffer = buffer
    }

    /// The next byte.
    @inlinable
    public mutating func byte() throws -> UInt8 {
        guard position < buffer.count else { throw KeyFault.truncated }
        defer { position &+= 1 }
        return buffer[position]
    }

    /// The next unsigned integer, most significant byte first.
    @inlinable
    public mutating func bigEndian<Value: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Value.Type = Value.self
    ) throws -> Value {
        Value(bigEndian: try load())
    }

    /// The next trivial value, as its bytes are.
    @inlinable
    mutating func load<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws -> Value {
        let end = position &+ MemoryLayout<Value>.size
        guard end <= buffer.count else { throw KeyFault.truncated }
        defer { position = end }
        return buffer.loadUnaligned(fromByteOffset: position, as: Value.self)
    }

    /// The next bytes of any length, with escapes undone.
    public mutating func escaped() throws -> [UInt8] {
        var result: [UInt8] = []
        while true {
            let next = try byte()
            switch next {
            case 0: return result
            case 1:
                let escaped = try byte()
                guard escaped == 1 || escaped == 2 else { throw TroveError.corruptKey(reason: "bad escape in a text or data part") }
                result.append(escaped - 1)
            default: result.append(next)
            }
        }
    }

    /// Throws when bytes are left.
    @inlinable
    func finish() throws {
        guard position == buffer.count else { throw KeyFault.leftOver(buffer.count - position) }
    }
}
