/// What a context knows an object by: its model and the bytes of its id.
///
/// Up to 16 bytes, which most ids have, are kept in place, so that looking an object up allocates nothing.
struct ObjectKey: Hashable, Sendable {
    private static let inlineSize = 16

    let model: ObjectIdentifier
    private let count: Int
    private let first: UInt64
    private let second: UInt64
    /// The bytes behind the first 16; nil when there are none.
    private let rest: [UInt8]?

    init(_ model: ObjectIdentifier, _ bytes: UnsafeRawBufferPointer) {
        var words = (UInt64(0), UInt64(0))
        let inline = min(bytes.count, Self.inlineSize)
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<inline])) }
        self.model = model
        count = bytes.count
        (first, second) = words
        rest = bytes.count > inline ? [UInt8](bytes[inline...]) : nil
    }

    init(_ model: ObjectIdentifier, _ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { ObjectKey(model, $0) }
    }

    /// The words are mixed by one product before the hasher sees them, which takes half the time of hashing each.
    func hash(into hasher: inout Hasher) {
        hasher.combine(mixed(0x9E37_79B9_7F4A_7C15))
        if let rest { hasher.combine(rest) }
    }

    /// A hash for the identity map, which has a seed of its own so that nobody can choose ids that meet in it.
    func hash(seed: UInt64) -> UInt32 {
        var mixed = mixed(seed)
        if let rest { mixed ^= UInt64(truncatingIfNeeded: rest.hashValue) }
        return UInt32(truncatingIfNeeded: mixed ^ mixed &>> 32)
    }

    private func mixed(_ seed: UInt64) -> UInt64 {
        let salt = UInt64(UInt(bitPattern: model)) ^ UInt64(truncatingIfNeeded: count)
        let product = (first ^ seed ^ salt).multipliedFullWidth(by: second ^ 0xD1B5_4A32_D192_ED03)
        return product.high ^ product.low ^ first.byteSwapped
    }

    /// The id's bytes, ``StorableKey/keyBytes``.
    var bytes: [UInt8] {
        let start = withUnsafeBytes(of: (first, second)) { [UInt8]($0[..<min(count, Self.inlineSize)]) }
        return rest.map { start + $0 } ?? start
    }
}
