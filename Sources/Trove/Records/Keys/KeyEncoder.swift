/// Builds an order-preserving key from one or several values.
public struct KeyEncoder: Sendable {
    @usableFromInline var storage: [UInt8] = []

    /// The bytes so far.
    @inlinable public var bytes: [UInt8] { storage }

    @inlinable
    public init() {
        storage.reserveCapacity(24)
    }

    /// Appends one byte.
    @inlinable
    public mutating func append(_ byte: UInt8) {
        storage.append(byte)
    }

    /// Appends an unsigned integer, most significant byte first.
    @inlinable
    public mutating func append<Value: FixedWidthInteger & UnsignedInteger>(bigEndian value: Value) {
        withUnsafeBytes(of: value.bigEndian) { append(raw: $0) }
    }

    /// Appends bytes of which the values are all of one length, as they are.
    @inlinable
    mutating func append(raw buffer: UnsafeRawBufferPointer) {
        storage.append(contentsOf: buffer)
    }

    /// Appends bytes of any length so that a shorter sequence sorts first and other values can follow:
    /// 0 becomes 1 1, 1 becomes 1 2, and a 0 ends them.
    public mutating func append(escaping buffer: some Sequence<UInt8>) {
        let isPlain: Bool? = buffer.withContiguousStorageIfAvailable { contiguous in
            guard !contiguous.contains(where: { $0 < 2 }) else { return false }
            storage.append(contentsOf: contiguous)
            return true
        }
        if isPlain != true {
            for byte in buffer {
                if byte < 2 {
                    storage.append(1)
                    storage.append(byte + 1)
                } else {
                    storage.append(byte)
                }
            }
        }
        storage.append(0)
    }

    /// Appends bytes that are a whole key already.
    mutating func append(whole bytes: [UInt8]) {
        storage.append(contentsOf: bytes)
    }

    /// Empties the key, keeping its memory.
    @inlinable
    mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
    }
}
