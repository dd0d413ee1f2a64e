/// What a context knows an object by: its model and the bytes of its id.
///
/// Up to 16 bytes, which most ids have, are kept in place, so that looking an object up allocates nothing.
struct ObjectKey: Hashable, Sendable {
    private static let inlineSize = 16

    /// What most keys are whole: the model, the first 16 bytes of the id, and how many it has.
    struct Head: Hashable, Sendable {
        fileprivate let first: UInt64
        fileprivate let second: UInt64
        let model: ObjectIdentifier
        fileprivate let count: UInt32
    }

    let head: Head
    /// The bytes behind the first 16; nil when there are none.
    let rest: [UInt8]?

    var model: ObjectIdentifier { head.model }

    init(_ head: Head, rest: [UInt8]?) { (self.head, self.rest) = (head, rest) }

    init(_ model: ObjectIdentifier, _ bytes: UnsafeRawBufferPointer) {
        var words = (UInt64(0), UInt64(0))
        let inline = min(bytes.count, Self.inlineSize)
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<inline])) }
        head = Head(first: words.0, second: words.1, model: model, count: UInt32(bytes.count))
        rest = bytes.count > inline ? [UInt8](bytes[inline...]) : nil
    }

    init(_ model: ObjectIdentifier, _ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { ObjectKey(model, $0) }
    }

    /// The key of the object with this id.
    init<ID: StorableKey>(_ model: ObjectIdentifier, id: ID) {
        guard ID.self == ObjectID.self else {
            self = ObjectKey(model, id.keyBytes)
            return
        }
        // Most ids are of this type, and need no array: the words are those of its bytes. The cast is to the type that it has.
        let id = unsafeBitCast(id, to: ObjectID.self)
        head = Head(first: id.high.bigEndian, second: id.low.bigEndian, model: model, count: 16)
        rest = nil
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
        let salt = UInt64(UInt(bitPattern: model)) ^ UInt64(head.count)
        let product = (head.first ^ seed ^ salt).multipliedFullWidth(by: head.second ^ 0xD1B5_4A32_D192_ED03)
        return product.high ^ product.low ^ head.first.byteSwapped
    }

    /// The id's bytes, ``StorableKey/keyBytes``.
    var bytes: [UInt8] { withBytes { [UInt8]($0) } }

    /// Calls `body` with the id's bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: (head.first, head.second)) { words in
            let start = UnsafeRawBufferPointer(rebasing: words[..<min(Int(head.count), Self.inlineSize)])
            guard let rest else { return try body(start) }
            return try (start + rest).withUnsafeBytes(body)
        }
    }
}
