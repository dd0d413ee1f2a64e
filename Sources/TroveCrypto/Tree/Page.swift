/// An opened node: entries of a keyspace in a leaf, pointers to children in the nodes above.
///
/// The key of a node's child is a lower bound of the keys below it, and that of the first child counts as the lowest of all.
struct Page: Sendable {
    /// 0 for a leaf, one more than its children's for others.
    var level: Int
    var entries: EntryList
    /// The data key with which the node is sealed; nil for one that never was.
    var sealedKey: UInt32?

    var isLeaf: Bool { level == 0 }

    /// What is sealed of it: its entries, and a byte for the level.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.bytes.count + 1)
        bytes += entries.bytes
        bytes.append(UInt8(level))
        return bytes
    }

    init(level: Int, entries: EntryList, sealedKey: UInt32?) {
        (self.level, self.entries, self.sealedKey) = (level, entries, sealedKey)
    }

    /// Takes over bytes that were opened.
    init(_ bytes: consuming [UInt8], sealedKey: UInt32) throws {
        var bytes = bytes
        guard let level = bytes.popLast() else { throw MalformedBytes() }
        self.init(level: Int(level), entries: try EntryList(parsing: bytes), sealedKey: sealedKey)
        // Searches and scans come to an end because of it, also in a node that was forged.
        guard entries.isOrdered(from: isLeaf ? 0 : 1) else { throw MalformedBytes() }
    }

    /// The number of entries below, as the node itself or its pointers tell.
    func countBelow() throws -> Int {
        if isLeaf { return entries.count }
        var count = 0
        for position in 0..<entries.count {
            count += try child(position).count
            guard count <= ChildPointer.maxCount else { throw MalformedBytes() }
        }
        return count
    }

    /// The position of the child below which a key is.
    func childPosition(of key: UnsafeRawBufferPointer) -> Int {
        let (position, isEqual) = entries.lowerBound(of: key, from: 1)
        return isEqual ? position : position - 1
    }

    /// The position of the last child below which there may be keys below `key`.
    func childPosition(below key: UnsafeRawBufferPointer) -> Int { entries.lowerBound(of: key, from: 1).position - 1 }

    func child(_ position: Int) throws -> ChildPointer {
        let range = entries.payloadRange(position)
        let bytes = entries.bytes
        return try bytes.withUnsafeBytes { try ChildPointer(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Where the value at a position of a leaf is, when it is not in the leaf.
    func largeValue(_ position: Int) throws -> LargeValue? {
        guard entries.isLarge(position) else { return nil }
        let range = entries.payloadRange(position)
        let bytes = entries.bytes
        return try bytes.withUnsafeBytes { try LargeValue(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

/// A node that a write transaction has changed.
final class DirtyNode {
    let number: UInt64
    var page: Page
    /// The children that were changed too, by position; empty in a leaf.
    var children: [DirtyNode?]
    /// How many entries are below.
    var count: Int

    init(number: UInt64, page: Page, count: Int) {
        self.number = number
        self.page = page
        self.count = count
        children = page.isLeaf ? [] : Array(repeating: nil, count: page.entries.count)
    }

    private init(_ other: DirtyNode) { (number, page, children, count) = (other.number, other.page, other.children, other.count) }

    /// One of its own for a transaction whose savepoint holds this one.
    func copy() -> DirtyNode { DirtyNode(self) }

    /// The size that decides whether it is divided or merged.
    var size: Int { page.entries.bytes.count }
}
