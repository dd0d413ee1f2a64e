import TroveStorage

/// What a write transaction seals, and what it gives up.
///
/// Nodes are sealed at the end of the transaction, or when those in memory become too many; large values at once.
final class SealingSession: PageSealer {
    /// Where a savepoint began.
    struct Mark {
        fileprivate let freedCount: Int
        fileprivate let writtenCount: Int
        fileprivate let sealedCounts: [UInt32: Int]
    }

    let reader: SnapshotReader
    let writer: any StorageWriter
    private let keyspace: Keyspace
    private let sealer: Sealer
    let nodeSize: Int
    /// Values that are not needed any more, and are removed when the transaction seals.
    private var freed: [UInt64] = []
    /// How many values are sealed with each data key, once the freed ones are removed.
    private(set) var sealedCounts: [UInt32: Int]
    /// Never goes back, so that no two values of a transaction have one number.
    private(set) var nextNumber: UInt64
    /// The numbers of large values that were written, in their order: those of an undone savepoint are removed.
    private var written: [UInt64] = []
    /// Whether values were written and removed again, which is nothing to commit.
    private(set) var hasUndoneValues = false
    /// How many changed nodes are in memory at the most.
    private(set) var dirtyCount = 0
    /// Sealed nodes that wait to be written in the order of their numbers, which is what engines are best at.
    private var output: [(number: UInt64, bytes: [UInt8])] = []

    init(_ reader: SnapshotReader, _ writer: any StorageWriter, ring: KeyRing) throws {
        guard let dataKey = ring.keys[ring.active] else { throw reader.engine.place.corrupt("its active data key is missing") }
        (self.reader, self.writer, keyspace) = (reader, writer, reader.keyspace)
        sealer = Sealer(ring, dataKey: dataKey)
        nodeSize = reader.engine.options.nodeSize - SealedValue.overhead
        sealedCounts = reader.snapshot.root.sealedCounts
        nextNumber = reader.snapshot.root.nextNumber
    }

    var activeKey: UInt32 { sealer.ring.active }

    func malformed(_ what: String) -> any Error { reader.malformed(what) }

    func page(_ pointer: ChildPointer, level: Int) throws -> Page { try reader.page(pointer, level: level) }

    func makeNumber() -> UInt64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    func free(_ number: UInt64, sealedKey: UInt32?) {
        // A node that was never sealed is nowhere but in memory.
        guard let sealedKey else { return }
        freed.append(number)
        sealedCounts[sealedKey, default: 0] -= 1
    }

    func noteDirty() { dirtyCount += 1 }

    // MARK: Sealing

    func seal(_ page: Page, number: UInt64, count: Int) throws -> Tag {
        let (bytes, tag) = try sealer.seal(page.bytes, as: .node, number: number)
        if let old = page.sealedKey { sealedCounts[old, default: 0] -= 1 }
        sealedCounts[activeKey, default: 0] += 1
        output.append((number, bytes))
        var sealed = page
        sealed.sealedKey = activeKey
        reader.engine.cache.add(sealed, number, tag, count: count)
        return tag
    }

    /// Writes what was sealed and removes what was given up.
    func flush() throws {
        output.sort { $0.number < $1.number }
        for (number, bytes) in output { try writer.put(StoreLayout.key(number), bytes, in: keyspace) }
        output = []
        for number in freed.sorted() { try writer.remove(StoreLayout.key(number), in: keyspace) }
        freed = []
        written = []
        dirtyCount = 0
    }

    /// Seals the root record and writes it.
    func commit(_ root: RootRecord) throws -> (Tag, [UInt8]) {
        let (bytes, tag) = try sealer.seal(root.bytes, as: .root, number: StoreLayout.rootNumber)
        try writer.put(StoreLayout.root, bytes, in: keyspace)
        return (tag, bytes)
    }

    // MARK: Large values

    /// Seals a large value and writes it.
    func write(_ bytes: UnsafeRawBufferPointer) throws -> LargeValue {
        var value = LargeValue(number: nextNumber, tag: ChildPointer.unsealed.tag, byteCount: bytes.count, key: activeKey)
        nextNumber = value.numbers.upperBound
        if value.chunks.isEmpty {
            value.tag = try write(Array(bytes), as: .value, value.number)
            return value
        }
        var list: [UInt8] = []
        for (position, number) in value.chunks.enumerated() {
            let start = position * LargeValue.chunkSize
            let tag = try write(Array(bytes[start..<min(start + LargeValue.chunkSize, bytes.count)]), as: .value, number)
            list.append(littleEndian: tag.low)
            list.append(littleEndian: tag.high)
        }
        value.tag = try write(list, as: .chunkList, value.number)
        return value
    }

    private func write(_ bytes: [UInt8], as kind: SealedKind, _ number: UInt64) throws -> Tag {
        let (sealed, tag) = try sealer.seal(bytes, as: kind, number: number)
        try writer.put(StoreLayout.key(number), sealed, in: keyspace)
        written.append(number)
        sealedCounts[activeKey, default: 0] += 1
        return tag
    }

    func reseal(_ value: LargeValue) throws -> LargeValue {
        let bytes = try reader.bytes(of: value)
        free(value)
        return try bytes.withUnsafeBytes { try write($0) }
    }

    /// What a savepoint that begins now goes back to. Nothing is flushed before it ends, so that lists only grow meanwhile.
    var mark: Mark { Mark(freedCount: freed.count, writtenCount: written.count, sealedCounts: sealedCounts) }

    /// Takes back what was done since a savepoint began.
    func undo(to mark: Mark) throws {
        freed.removeSubrange(mark.freedCount...)
        sealedCounts = mark.sealedCounts
        while written.count > mark.writtenCount, let number = written.last {
            hasUndoneValues = true
            try writer.remove(StoreLayout.key(number), in: keyspace)
            written.removeLast()
        }
    }
}
