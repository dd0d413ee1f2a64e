/// Reads the values of an order-preserving key, in the order they were encoded.
public struct KeyDecoder: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    /// Begins with the first value of `bytes`.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte.
    public mutating func byte() throws -> UInt8 {
        guard position < bytes.count else { throw Self.truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// The next unsigned integer, most significant byte first.
    public mutating func bigEndian<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type = Value.self) throws -> Value {
        try fixed(MemoryLayout<Value>.size).reduce(0) { $0 << 8 | Value($1) }
    }

    /// The next `count` bytes as they are.
    public mutating func fixed(_ count: Int) throws -> ArraySlice<UInt8> {
        guard bytes.count - position >= count else { throw Self.truncated }
        defer { position += count }
        return bytes[position..<position + count]
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
    public func finish() throws {
        guard position == bytes.count else {
            throw TroveError.corruptKey(reason: "\(bytes.count - position) bytes are left after the last part")
        }
    }

    private static var truncated: TroveError { .corruptKey(reason: "the key ends in the middle of a part") }
}
