/// Builds an order-preserving key from one or several values.
public struct KeyEncoder: Sendable {
    /// The bytes so far.
    public private(set) var bytes: [UInt8] = []

    public init() {
        bytes.reserveCapacity(24)
    }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends an unsigned integer, most significant byte first.
    @inlinable
    public mutating func append<Value: FixedWidthInteger & UnsignedInteger>(bigEndian value: Value) {
        withUnsafeBytes(of: value.bigEndian) { append(raw: $0) }
    }

    /// Appends bytes of which the values are all of one length, as they are.
    @usableFromInline mutating func append(raw buffer: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: buffer)
    }

    /// Appends bytes of any length so that a shorter sequence sorts first and other values can follow:
    /// 0 becomes 1 1, 1 becomes 1 2, and a 0 ends them.
    public mutating func append(escaping buffer: some Sequence<UInt8>) {
        let isPlain: Bool? = buffer.withContiguousStorageIfAvailable { contiguous in
            guard !contiguous.contains(where: { $0 < 2 }) else { return false }
            bytes.append(contentsOf: contiguous)
            return true
        }
        if isPlain != true {
            for byte in buffer {
                if byte < 2 {
                    bytes.append(1)
                    bytes.append(byte + 1)
                } else {
                    bytes.append(byte)
                }
            }
        }
        bytes.append(0)
    }

    /// Empties the key, keeping its memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }
}
