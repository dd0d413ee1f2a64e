import TroveStorage

/// An id's bytes as the engine's key: whole, or shortened when every engine's limit asks for it.
///
/// Bytes up to 510 are the key. Longer ones are cut to 495 and followed by 16 bytes of hash, so a shortened key has
/// 511 bytes and never equals a whole one; the record then holds the whole bytes, and matches are checked against them.
@usableFromInline struct RecordKey: Sendable {
    static let maxWholeSize = StorageLimits.maxKeySize - 1
    /// How many bytes of a longer id are kept.
    static let keptSize = StorageLimits.maxKeySize - 16

    /// The engine's key.
    let bytes: [UInt8]
    /// The id's bytes when `bytes` is a shortened form of them.
    let long: [UInt8]?

    @usableFromInline init(_ whole: [UInt8]) {
        guard whole.count > Self.maxWholeSize else {
            bytes = whole
            long = nil
            return
        }
        var shortened = Array(whole[..<Self.keptSize])
        for seed in [UInt64(1), 2] {
            withUnsafeBytes(of: Checksum.hash(whole, seed: seed).bigEndian) { shortened.append(contentsOf: $0) }
        }
        bytes = shortened
        long = whole
    }
}

/// The engine's keys of some ids, in their order: what ``RecordKey`` is of one, without an array for each.
@usableFromInline struct RecordKeys: Sendable {
    /// The engine's keys.
    private(set) var keys = KeyList()
    /// Those that are shortened, by their positions.
    private var shortened: [Int: RecordKey] = [:]

    @usableFromInline init() {}

    @inlinable init<IDs: Sequence>(_ ids: IDs) where IDs.Element: StorableKey {
        self.init()
        var key = KeyEncoder()
        for id in ids {
            key.removeAll()
            id.encode(into: &key)
            append(key.storage)
        }
    }

    /// - Parameter ids: the bytes of each id.
    init(bytes ids: some Sequence<[UInt8]>) {
        for id in ids { append(id) }
    }

    /// Adds an id by its bytes.
    @usableFromInline mutating func append(_ whole: [UInt8]) {
        whole.withUnsafeBytes { append($0) }
    }

    mutating func append(_ whole: UnsafeRawBufferPointer) {
        if whole.count <= RecordKey.maxWholeSize { return keys.append(whole) }
        let key = RecordKey([UInt8](whole))
        shortened[keys.count] = key
        keys.append(key.bytes.span.bytes)
    }

    /// The key at a position, when it is a shortened one.
    func shortened(at position: Int) -> RecordKey? { shortened.isEmpty ? nil : shortened[position] }

    /// Calls `body` with the engine's keys in their order, and with those that are shortened as they are.
    func forEach(_ body: (_ key: RawSpan, _ shortened: RecordKey?) throws -> Void) rethrows {
        var position = 0
        try keys.forEach { key in
            try body(key, shortened(at: position))
            position += 1
            return .next
        }
    }
}
