import TroveStorage

/// Opens the values of a snapshot through a transaction of the wrapped engine.
final class SnapshotReader: PageSource {
    let engine: SealedEngine
    let inner: any StorageReader
    let keyspace: Keyspace
    let snapshot: Snapshot

    /// Reads the root of the store as it is in the transaction.
    ///
    /// - Throws: `corrupt` and ``SealedStoreError``.
    init(_ inner: any StorageReader, in engine: SealedEngine) throws {
        guard let keyspace = try inner.keyspace(named: StoreLayout.keyspace) else {
            throw engine.place.corrupt("its keyspace is gone")
        }
        (self.engine, self.inner, self.keyspace) = (engine, inner, keyspace)
        snapshot = try engine.snapshot(inner, keyspace)
    }

    func malformed(_ what: String) -> any Error { engine.place.corrupt(what) }

    // MARK: Nodes

    func page(_ pointer: ChildPointer, level: Int) throws -> Page {
        let found = engine.cache.page(pointer)
        let page = try found ?? open(pointer)
        guard page.level == level, !page.entries.isEmpty else { throw malformed("node \(pointer.number) is not of level \(level)") }
        return page
    }

    /// Opens a node as it lies in the wrapped engine, whatever the cache has.
    func open(_ pointer: ChildPointer) throws -> Page {
        let (bytes, keyNumber) = try open(pointer.number, as: .node, expecting: pointer.tag)
        let page: Page
        let count: Int
        do {
            page = try Page(bytes, sealedKey: keyNumber)
            count = try page.countBelow()
        } catch { throw malformed("node \(pointer.number) has no entries in their order") }
        guard count == pointer.count else { throw malformed("node \(pointer.number) has \(count) entries, not \(pointer.count)") }
        engine.cache.add(page, pointer.number, pointer.tag, count: count)
        return page
    }

    /// A value of the wrapped engine, opened, and the number of its key.
    func open(_ number: UInt64, as kind: SealedKind, expecting tag: Tag) throws -> (bytes: [UInt8], keyNumber: UInt32) {
        let opener = engine.opener(snapshot.ring)
        var opened: (bytes: [UInt8], keyNumber: UInt32)?
        _ = try inner.get(StoreLayout.key(number), in: keyspace) { bytes in
            let plain = try opener.open(bytes, as: kind, number: number, expecting: tag)
            opened = opener.outline(bytes).map { (plain, $0.keyNumber) }
        }
        guard let opened else { throw malformed("value \(number) is missing") }
        return opened
    }

    // MARK: Large values

    func bytes(of value: LargeValue) throws -> [UInt8] {
        let chunks = value.chunks
        if chunks.isEmpty {
            let (bytes, keyNumber) = try open(value.number, as: .value, expecting: value.tag)
            guard bytes.count == value.byteCount, keyNumber == value.key else { throw malformed("value \(value.number) has another length") }
            return bytes
        }
        let (list, listKey) = try open(value.number, as: .chunkList, expecting: value.tag)
        guard list.count == chunks.count * Tag.size, listKey == value.key else { throw malformed("the list of chunks \(value.number) has another length") }
        var bytes: [UInt8] = []
        for (position, number) in chunks.enumerated() {
            let tag = list.withUnsafeBytes { Tag($0, at: position * Tag.size) }
            let chunk = try open(number, as: .value, expecting: tag)
            guard chunk.bytes.count == min(LargeValue.chunkSize, value.byteCount - bytes.count), chunk.keyNumber == value.key else {
                throw malformed("the chunks of value \(value.number) have another length")
            }
            bytes += chunk.bytes
        }
        return bytes
    }
}
