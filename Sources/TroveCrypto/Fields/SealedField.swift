/// A sealed value of an encrypted property:
///
///     1 byte    the version of this layout, 1: AES-256-GCM
///     4         the number of the data key
///     12        random bytes of the session; with the data key they give the key that it was sealed with
///     12        the nonce, random
///     n         the sealed bytes
///     16        the tag
struct SealedField {
    static let version: UInt8 = 1
    static let saltSize = 12
    /// What a sealed value has besides its bytes.
    static let overhead = 1 + 4 + saltSize + 12 + 16

    let keyNumber: UInt32
    let salt: [UInt8]
    /// Nonce, sealed bytes and tag.
    let box: UnsafeRawBufferPointer

    /// Nil when there are too few bytes, or they have another version.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let keyNumber = Self.keyNumber(bytes) else { return nil }
        self.keyNumber = keyNumber
        salt = Array(bytes[5..<5 + Self.saltSize])
        box = UnsafeRawBufferPointer(rebasing: bytes[(5 + Self.saltSize)...])
    }

    /// The number of the data key; nil for bytes that are no sealed value.
    static func keyNumber(_ bytes: UnsafeRawBufferPointer) -> UInt32? {
        guard bytes.count >= overhead, bytes[0] == version else { return nil }
        return bytes.number(at: 1, as: UInt32.self)
    }

    /// What the seal covers besides the bytes: whose value it is, with which key, and where.
    static func binding(store: [UInt8], keyNumber: UInt32, place: RawSpan) -> [UInt8] {
        var binding: [UInt8] = []
        binding.reserveCapacity(store.count + 5 + place.byteCount)
        binding += store
        binding.append(version)
        binding.append(littleEndian: keyNumber)
        place.withUnsafeBytes { binding.append(contentsOf: $0) }
        return binding
    }
}
