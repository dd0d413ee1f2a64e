import TroveStorage

/// What a sealed value is, which is a part of what its seal covers.
enum SealedKind: UInt8 {
    case node = 1
    /// A large value, or a chunk of one.
    case value = 2
    /// The list of a large value's chunks.
    case chunkList = 3
    case root = 4
}

/// A sealed value as the wrapped engine has it:
///
///     1 byte    the version of this layout, 1: AES-256-GCM
///     4         the number of the data key
///     24        random bytes of the write transaction; with the data key they give the key that it was sealed with
///     4         how many values the transaction had sealed before with that key: the nonce
///     n         the sealed bytes
///     16        the tag
struct SealedValue {
    static let version: UInt8 = 1
    static let saltSize = 24
    static let headerSize = 1 + 4 + saltSize + 4
    /// What a sealed value has besides its bytes.
    static let overhead = headerSize + Tag.size

    let keyNumber: UInt32
    let salt: [UInt8]
    let counter: UInt32
    let tag: Tag
    let sealed: UnsafeRawBufferPointer
    let tagBytes: UnsafeRawBufferPointer

    /// Nil when there are too few bytes, or they have another version.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.overhead, bytes[0] == Self.version else { return nil }
        keyNumber = bytes.number(at: 1, as: UInt32.self)
        salt = Array(bytes[5..<5 + Self.saltSize])
        counter = bytes.number(at: 5 + Self.saltSize, as: UInt32.self)
        let end = bytes.count - Tag.size
        tag = Tag(bytes, at: end)
        sealed = UnsafeRawBufferPointer(rebasing: bytes[Self.headerSize..<end])
        tagBytes = UnsafeRawBufferPointer(rebasing: bytes[end...])
    }

    /// The nonce of a counter.
    static func nonce(_ counter: UInt32) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: 8)
        nonce.append(littleEndian: counter)
        return nonce
    }

    /// What the seal covers besides the bytes: whose value it is, what, where, and with which key.
    static func binding(store: [UInt8], kind: SealedKind, number: UInt64, keyNumber: UInt32) -> [UInt8] {
        var binding = store
        binding.append(version)
        binding.append(kind.rawValue)
        binding.append(littleEndian: number)
        binding.append(littleEndian: keyNumber)
        return binding
    }
}
