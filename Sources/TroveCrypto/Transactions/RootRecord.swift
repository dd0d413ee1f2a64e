/// What the sealed root says of the store: the one value to which nothing points.
///
///     1 byte    the version of this layout, 1
///     8         how many changes were committed
///     8         the number of the next new node
///     32        the SHA-256 of the record of keys
///     32        the key that states are signed with
///     38        where the catalogue of keyspaces is
///     2         the number of data keys with which something is sealed; for each:
///       4         its number
///       8         how many nodes and large values are sealed with it
struct RootRecord: Sendable {
    private static let version: UInt8 = 1
    /// No number comes so far by counting; one that is near the end of its type was forged.
    static let maxNumber: UInt64 = 1 << 62

    var commit: UInt64
    var nextNumber: UInt64
    var keyDigest: [UInt8]
    let stateKey: [UInt8]
    var catalogue: SealedTree.Descriptor
    var sealedCounts: [UInt32: Int]

    /// That of a new store.
    init(keyDigest: [UInt8]) {
        commit = 0
        nextNumber = 1
        self.keyDigest = keyDigest
        stateKey = SystemRandomNumberGenerator.bytes(32)
        catalogue = .empty
        sealedCounts = [:]
    }

    /// How many values are sealed with other keys than the active one.
    func outdatedCount(active: UInt32) -> Int { sealedCounts.reduce(0) { $0 + ($1.key == active ? 0 : $1.value) } }

    init(_ bytes: [UInt8]) throws {
        var parser = ByteParser(bytes)
        guard try parser.number(UInt8.self) == Self.version else { throw MalformedBytes() }
        commit = try parser.number(UInt64.self)
        nextNumber = try parser.number(UInt64.self)
        keyDigest = try parser.take(32)
        stateKey = try parser.take(32)
        catalogue = try SealedTree.Descriptor(parser.take(SealedTree.Descriptor.size))
        sealedCounts = [:]
        for _ in 0..<(try parser.number(UInt16.self)) {
            let key = try parser.number(UInt32.self)
            guard let count = Int(exactly: try parser.number(UInt64.self)) else { throw MalformedBytes() }
            guard sealedCounts.updateValue(count, forKey: key) == nil else { throw MalformedBytes() }
        }
        guard parser.isAtEnd else { throw MalformedBytes() }
        try validate()
    }

    /// - Throws: when a number is out of the range in which it can be counted on.
    func validate() throws {
        guard commit <= Self.maxNumber, (1...Self.maxNumber).contains(nextNumber), sealedCounts.count <= Int(UInt16.max),
            sealedCounts.values.allSatisfy({ (0...ChildPointer.maxCount).contains($0) })
        else { throw MalformedBytes() }
    }

    var bytes: [UInt8] {
        var bytes = [Self.version]
        bytes.append(littleEndian: commit)
        bytes.append(littleEndian: nextNumber)
        bytes += keyDigest + stateKey + catalogue.bytes
        let counts = sealedCounts.filter { $0.value != 0 }
        bytes.append(littleEndian: UInt16(counts.count))
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
            bytes.append(littleEndian: key)
            bytes.append(littleEndian: UInt64(count))
        }
        return bytes
    }
}
