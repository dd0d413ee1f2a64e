/// Builds an order-preserving key from one or several values.
public struct KeyEncoder: Sendable {
    @usableFromInline var storage: [UInt8] = []

    /// The bytes so far.
    @inlinable public var bytes: [UInt8] { storage }

    /// An empty key.
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

    /// The next bytes of any length, unescaped.
    public mutating func escaped() throws -> [UInt8] {
        try EscapedBytes.withPlain(of: escapedBytes()) { [UInt8]($0) }
    }

    /// The next bytes up to the 0 that ends them, as they lie in the key.
    mutating func escapedBytes() throws -> UnsafeRawBufferPointer {
        guard let end = buffer[position...].firstIndex(of: 0) else { throw KeyFault.truncated }
        defer { position = end + 1 }
        return UnsafeRawBufferPointer(rebasing: buffer[position..<end])
    }

    /// Throws when bytes are left.
    @inlinable
    func finish() throws {
        guard position == buffer.count else { throw KeyFault.leftOver(buffer.count - position) }
    }
}

/// The errors of ``KeyDecoder``, made out of line so that the fast path stays small.
@usableFromInline enum KeyFault {
    @usableFromInline static var truncated: TroveError { .corruptKey(reason: "the key ends in the middle of a part") }

    @usableFromInline static func leftOver(_ count: Int) -> TroveError {
        .corruptKey(reason: "\(count) bytes are left after the last part")
    }

    @usableFromInline static func notABool(_ byte: UInt8) -> TroveError {
        .corruptKey(reason: "a Bool is 0 or 1, not \(byte)")
    }
}

// The parts of an id of several properties, as `@Model` writes them. For a type that is no key the compiler comes to the overloads that say so.

extension KeyEncoder {
    /// Appends a part of an id.
    @inlinable
    public mutating func _encodePart<Part: StorableKey>(_ part: Part) { part.encode(into: &self) }

    @available(
        *, unavailable, message: "a property of an identity must be a 'StorableKey', such as an enum with a raw value: 'enum Kind: String, StorableKey'"
    )
    public mutating func _encodePart<Part>(_ part: Part) {}
}

extension KeyDecoder {
    /// Reads a part of an id.
    @inlinable
    public mutating func _decodePart<Part: StorableKey>() throws -> Part { try Part(from: &self) }

    @available(
        *, unavailable, message: "a property of an identity must be a 'StorableKey', such as an enum with a raw value: 'enum Kind: String, StorableKey'"
    )
    public mutating func _decodePart<Part>() throws -> Part { throw TroveError.corruptKey(reason: "\(Part.self) cannot be the type of a key") }
}

/// The name and type of one part of an id.
public func _keyPart<Part: StorableKey>(_ name: String, _ type: Part.Type) -> (name: String, type: any StorableKey.Type) { (name, type) }

@available(
    *, unavailable, message: "a property of an identity must be a 'StorableKey', such as an enum with a raw value: 'enum Kind: String, StorableKey'"
)
public func _keyPart<Part>(_ name: String, _ type: Part.Type) -> (name: String, type: any StorableKey.Type) { (name, String.self) }

/// Text and data as keys and parts of indexes have them: a 0 as 1 1 and a 1 as 1 2, so that a 0 can end them.
enum EscapedBytes {
    /// Calls `body` with the bytes that were escaped, which are valid during the call.
    ///
    /// - Parameters:
    ///   - bytes: what is before the 0 at the end.
    ///   - isInverted: whether each byte is inverted, as in a descending part.
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not escaped so; what `body` throws.
    static func withPlain<Result>(
        of bytes: UnsafeRawBufferPointer, isInverted: Bool = false, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        // Most texts have nothing escaped and are there as they are.
        if !isInverted, !bytes.contains(where: { $0 < 2 }) { return try body(bytes) }
        let mask: UInt8 = isInverted ? 0xFF : 0
        return try withUnsafeTemporaryAllocation(byteCount: max(1, bytes.count), alignment: 1) { plain in
            var count = 0
            var isEscaped = false
            for byte in bytes {
                let next = byte ^ mask
                if !isEscaped, next == 1 {
                    isEscaped = true
                    continue
                }
                guard isEscaped ? next == 1 || next == 2 : next != 0 else { throw badEscape }
                plain[count] = isEscaped ? next - 1 : next
                isEscaped = false
                count += 1
            }
            guard !isEscaped else { throw badEscape }
            return try body(UnsafeRawBufferPointer(rebasing: plain[..<count]))
        }
    }

    private static var badEscape: TroveError { .corruptKey(reason: "bad escape in a text or data part") }
}
