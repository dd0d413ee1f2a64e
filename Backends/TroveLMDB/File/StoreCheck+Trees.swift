import TroveStorage

extension StoreCheck {
    /// What a tree holds.
    enum Kind {
        /// The records of other databases.
        case main
        /// The names of the keyspaces and their slots.
        case catalogue
        case keyspace
        /// Lists of free pages, under the number of the state that freed them.
        case free
    }

    /// What is known of the tree that is walked, and what was counted in it.
    private struct Tree {
        let kind: Kind
        let name: String
        let depth: Int
        var branchPages: UInt = 0
        var leafPages: UInt = 0
        var overflowPages: UInt = 0
        var entries = 0
        let visit: (inout StoreCheck, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    }

    /// LMDB's cursors have room for so many levels.
    private static let maxDepth = 32

    /// Checks a tree, calling `visit` with its entries where it is not a keyspace's.
    mutating func walk(
        _ record: DatabaseRecord, named name: String, kind: Kind,
        _ visit: @escaping (inout StoreCheck, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if record.root == DatabaseRecord.noRoot {
            guard record.entries == 0, record.depth == 0 else { throw errors.corrupt("\(name) has entries but no page") }
            return
        }
        guard (1...Self.maxDepth).contains(record.depth) else { throw errors.corrupt("\(name) has an impossible depth") }
        var tree = Tree(kind: kind, name: name, depth: record.depth, visit: visit)
        try walk(record.root, level: 1, &tree, from: nil, upTo: nil)
        let isWhole = checksLeaves || kind != .keyspace
        guard tree.branchPages == record.branchPages, tree.leafPages == record.leafPages,
            !isWhole || (tree.overflowPages == record.overflowPages && tree.entries == record.entries)
        else { throw errors.corrupt("\(name) does not have as many pages and entries as its record says") }
    }

    private mutating func walk(
        _ page: UInt, level: Int, _ tree: inout Tree, from lower: UnsafeRawBufferPointer?, upTo upper: UnsafeRawBufferPointer?
    ) throws {
        try use(page)
        let isLeaf = level == tree.depth
        if isLeaf { tree.leafPages += 1 } else { tree.branchPages += 1 }
        if isLeaf, tree.kind == .keyspace, !checksLeaves { return }
        let bytes = bytes(of: page)
        let count = try checkedCount(bytes, page, isLeaf: isLeaf)
        // While LMDB rewrites the list of free pages a branch may keep a single child there.
        guard count >= (isLeaf || tree.kind == .free ? 1 : 2) else { throw wrong(page, "has too few nodes") }
        spans.removeAll(keepingCapacity: true)
        var previous = lower
        for index in 0..<count {
            let node = try checkedNode(index, in: bytes, page, isLeaf: isLeaf)
            spans.append(node.span)
            // The first key of a branch page stands for everything below the second.
            if isLeaf || index > 0 {
                guard tree.kind == .free ? node.key.count == FileLayout.word : (1...StorageLimits.maxKeySize).contains(node.key.count) else {
                    throw wrong(page, "has a key of \(node.key.count) bytes")
                }
                if let previous, order(previous, node.key, tree.kind) > (isLeaf && index == 0 ? 0 : -1), index > 0 || isLeaf {
                    throw wrong(page, "has its keys out of order")
                }
                if let upper, order(node.key, upper, tree.kind) >= 0 { throw wrong(page, "has a key that belongs to another page") }
                previous = node.key
            }
            if isLeaf { try checkEntry(node, page, &tree) }
        }
        try checkTiling(bytes, page)
        guard !isLeaf else { return }
        for index in 0..<count {
            let node = try checkedNode(index, in: bytes, page, isLeaf: false)
            let from = index == 0 ? lower : node.key
            let upTo = index + 1 < count ? try checkedNode(index + 1, in: bytes, page, isLeaf: false).key : upper
            try walk(node.child, level: level + 1, &tree, from: from, upTo: upTo)
        }
    }

    @inline(__always)
    private func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ kind: Kind) -> Int {
        guard kind == .free else { return compareBytes(left, right) }
        let (left, right) = (left.loadUnaligned(as: UInt.self), right.loadUnaligned(as: UInt.self))
        return left < right ? -1 : left > right ? 1 : 0
    }

    private mutating func checkEntry(_ node: Node, _ page: UInt, _ tree: inout Tree) throws {
        tree.entries += 1
        switch tree.kind {
        case .main:
            guard node.flags == FileLayout.subDatabase, node.data.count == DatabaseRecord.size else {
                throw StorageError.notAStore(errors.details("the file is an LMDB file of another program: its main database holds entries"))
            }
            try tree.visit(&self, node.key, node.data)
        case .catalogue, .keyspace, .free:
            var data = node.data
            if node.flags == FileLayout.bigData {
                data = try checkedOverflow(node, page, &tree)
            } else if node.flags != 0 {
                throw wrong(page, "has a node of a wrong kind")
            }
            if tree.kind != .keyspace { try tree.visit(&self, node.key, data) }
        }
    }

    /// The value on overflow pages. It may have more pages than it needs, when a larger value was there before it in the same transaction.
    private mutating func checkedOverflow(_ node: Node, _ page: UInt, _ tree: inout Tree) throws -> UnsafeRawBufferPointer {
        let first = node.data.loadUnaligned(as: UInt.self)
        try use(first)
        let header = bytes(of: first)
        let count = UInt(header.loadUnaligned(fromByteOffset: FileLayout.overflowCount, as: UInt32.self))
        guard header.loadUnaligned(as: UInt.self) == first,
            header.loadUnaligned(fromByteOffset: FileLayout.pageFlags, as: UInt16.self) == FileLayout.overflowFlag,
            count >= UInt(FileLayout.overflowPages(node.dataSize, pageSize: pageSize))
        else { throw wrong(first, "is not a page of the value") }
        guard count <= readablePages - first else { throw wrong(page, "has a value outside the file") }
        for page in first + 1..<first + count { try use(page) }
        tree.overflowPages += count
        let start = Int(first) * pageSize + FileLayout.pageHeader
        return UnsafeRawBufferPointer(rebasing: file[start..<start + node.dataSize])
    }

    /// Checks that the nodes fill the page from its upper end down without gaps, as LMDB's moves of them suppose.
    private mutating func checkTiling(_ bytes: UnsafeRawBufferPointer, _ page: UInt) throws {
        // Ascending loads leave them in order from the top.
        let isSorted = spans.indices.dropFirst().allSatisfy { spans[$0 - 1].offset > spans[$0].offset }
        if !isSorted { spans.sort { $0.offset > $1.offset } }
        var end = pageSize
        for span in spans {
            guard span.offset + span.size == end else { throw wrong(page, "has nodes that overlap or leave gaps") }
            end = span.offset
        }
        guard end == Int(bytes.loadUnaligned(fromByteOffset: FileLayout.pageUpper, as: UInt16.self)) else {
            throw wrong(page, "has nodes that overlap or leave gaps")
        }
    }

    // MARK: Nodes

    private struct Node {
        let span: Span
        let flags: UInt16
        let key: UnsafeRawBufferPointer
        /// The value, or the number of its first overflow page.
        let data: UnsafeRawBufferPointer
        let dataSize: Int
        let child: UInt
    }

    /// The number of nodes, after checking the page's header.
    private func checkedCount(_ bytes: UnsafeRawBufferPointer, _ page: UInt, isLeaf: Bool) throws -> Int {
        guard bytes.loadUnaligned(as: UInt.self) == page else { throw wrong(page, "has the number of another page") }
        guard bytes.loadUnaligned(fromByteOffset: FileLayout.pageFlags, as: UInt16.self) == (isLeaf ? FileLayout.leafFlag : FileLayout.branchFlag)
        else { throw wrong(page, "is a page of the wrong kind") }
        let lower = Int(bytes.loadUnaligned(fromByteOffset: FileLayout.pageLower, as: UInt16.self))
        let upper = Int(bytes.loadUnaligned(fromByteOffset: FileLayout.pageUpper, as: UInt16.self))
        guard lower >= FileLayout.pageHeader, lower % 2 == 0, lower <= upper, upper <= pageSize else {
            throw wrong(page, "has impossible bounds")
        }
        return (lower - FileLayout.pageHeader) / 2
    }

    @inline(__always)
    private func checkedNode(_ index: Int, in bytes: UnsafeRawBufferPointer, _ page: UInt, isLeaf: Bool) throws -> Node {
        let offset = Int(bytes.loadUnaligned(fromByteOffset: FileLayout.pageHeader + 2 * index, as: UInt16.self))
        guard offset % 2 == 0, offset >= FileLayout.pageHeader, offset + FileLayout.nodeHeader <= pageSize else {
            throw wrong(page, "has a node outside the page")
        }
        let low = UInt(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
        let high = UInt(bytes.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self))
        let flags = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
        let keySize = Int(bytes.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self))
        let dataSize = isLeaf ? Int(low | high << 16) : 0
        let stored = isLeaf ? (flags & FileLayout.bigData != 0 ? FileLayout.word : dataSize) : 0
        let size = FileLayout.nodeHeader + keySize + stored
        guard offset + size <= pageSize else { throw wrong(page, "has a node that ends outside the page") }
        let key = offset + FileLayout.nodeHeader
        // A branch node keeps the upper bits of the page number where a leaf node has flags.
        let child = UInt.bitWidth == 64 ? low | high << 16 | UInt(flags) << 32 : low | high << 16
        return Node(
            span: Span(offset: offset, size: (size + 1) & ~1), flags: flags,
            key: UnsafeRawBufferPointer(start: bytes.baseAddress! + key, count: keySize),
            data: UnsafeRawBufferPointer(start: bytes.baseAddress! + key + keySize, count: stored), dataSize: dataSize, child: child)
    }

    private func wrong(_ page: UInt, _ what: String) -> StorageError { errors.corrupt("page \(page) \(what)") }
}
