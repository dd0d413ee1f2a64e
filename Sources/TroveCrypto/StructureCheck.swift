import TroveStorage

/// Opens everything in a snapshot of a sealed store, as it lies in the wrapped engine.
final class StructureCheck {
    private let reader: SnapshotReader
    private var numbers: Set<UInt64> = []
    private var counts: [UInt32: Int] = [:]

    init(_ reader: SnapshotReader) { self.reader = reader }

    /// - Throws: `corrupt` with what was found.
    func run() throws {
        let root = reader.snapshot.root
        var trees: [SealedTree.Descriptor] = []
        try walk(root.catalogue) { page in
            for position in 0..<page.entries.count {
                do { trees.append(try SealedTree.Descriptor(page.entries.payload(position))) } catch { throw reader.malformed("a keyspace has no tree") }
            }
        }
        for tree in trees {
            try walk(tree) { page in
                for position in 0..<page.entries.count {
                    let found: LargeValue?
                    do { found = try page.largeValue(position) } catch { throw reader.malformed("a pointer to a large value is none") }
                    guard let value = found else { continue }
                    _ = try reader.bytes(of: value)
                    for number in value.numbers { try note(number, value.key) }
                }
            }
        }
        guard counts == root.sealedCounts.filter({ $0.value != 0 }) else { throw reader.malformed("the numbers of values by key are wrong") }
        try checkOthers(root)
    }

    /// Whether the wrapped engine has what was found and nothing else.
    private func checkOthers(_ root: RootRecord) throws {
        var others = 0
        try reader.inner.scanKeys(in: reader.keyspace) { key in
            let key = [UInt8](copying: key)
            if key == StoreLayout.recordOfKeys || key == StoreLayout.root { return .next }
            let number = key.count == 8 ? key.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) } : 0
            if !numbers.contains(number) || number >= root.nextNumber { others += 1 }
            return .next
        }
        guard others == 0 else { throw reader.malformed("\(others) values belong to nothing") }
    }

    private func walk(_ tree: SealedTree.Descriptor, _ leaf: (Page) throws -> Void) throws {
        guard let pointer = tree.pointer else { return }
        let oldest = try walk(pointer, level: tree.level, from: nil, upTo: nil, leaf)
        guard oldest == pointer.oldestKey else { throw reader.malformed("the key of node \(pointer.number) is noted wrongly") }
    }

    /// Checks a node and all below; returns the lowest number of a key.
    private func walk(
        _ pointer: ChildPointer, level: Int, from low: [UInt8]?, upTo high: [UInt8]?, _ leaf: (Page) throws -> Void
    ) throws -> UInt32 {
        let page = try reader.open(pointer)
        let name = "node \(pointer.number)"
        guard page.level == level, !page.entries.isEmpty, let sealedKey = page.sealedKey else { throw reader.malformed("\(name) is of another level") }
        try note(pointer.number, sealedKey)
        let keys = (0..<page.entries.count).map(page.entries.key)
        // The first key of a node above the leaves counts as the lowest of all, whatever it is.
        let bounds = page.isLeaf ? keys[...] : keys.dropFirst()
        guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }) else {
            throw reader.malformed("the keys of \(name) are not in their order")
        }
        if let low, let first = bounds.first, first.lexicographicallyPrecedes(low) { throw reader.malformed("\(name) has keys of the node before") }
        if let high, let last = bounds.last, !last.lexicographicallyPrecedes(high) { throw reader.malformed("\(name) has keys of the node behind") }
        var (count, oldest) = (0, sealedKey)
        if page.isLeaf {
            count = page.entries.count
            oldest = min(oldest, try SealedTree.oldestKey(below: page, with: reader))
            try leaf(page)
        } else {
            for position in 0..<page.entries.count {
                let child: ChildPointer
                do { child = try page.child(position) } catch { throw reader.malformed("a pointer to a node is none") }
                let key = try walk(
                    child, level: level - 1, from: position == 0 ? low : keys[position],
                    upTo: position + 1 < keys.count ? keys[position + 1] : high, leaf)
                guard key == child.oldestKey else { throw reader.malformed("the key of node \(child.number) is noted wrongly") }
                oldest = min(oldest, key)
                count += child.count
            }
        }
        guard count == pointer.count else { throw reader.malformed("\(name) has \(count) entries, not \(pointer.count)") }
        return oldest
    }

    private func note(_ number: UInt64, _ key: UInt32) throws {
        guard numbers.insert(number).inserted else { throw reader.malformed("two pointers lead to value \(number)") }
        counts[key, default: 0] += 1
    }
}
