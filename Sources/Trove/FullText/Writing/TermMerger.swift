/// Merges the changes of one term after the other into the blocks of postings.
struct TermMerger: ~Copyable {
    private let index: InvertedIndex
    private let writer: any StorageWriter
    private let keyspace: Keyspace
    private let isNew: Bool
    private let block: PostingBlock
    private var builder: PostingBlockBuilder
    private var key = PostingKey()
    private var cursor: (any StorageCursor)?
    /// The blocks of the term from the first that changes on, where the engine is asked once for all of them.
    private var blocks: [(key: [UInt8], value: [UInt8])]?
    private var nextBlock = 0

    /// `isNew` promises that the index holds no postings yet, so none are looked for.
    init(_ index: InvertedIndex, _ writer: any StorageWriter, _ keyspace: Keyspace, isNew: Bool) {
        self.index = index
        self.writer = writer
        self.keyspace = keyspace
        self.isNew = isNew
        block = PostingBlock(index)
        builder = PostingBlockBuilder(index)
    }

    /// Merges the changes of `term`, ascending by document, no two of one document.
    mutating func merge(_ changes: borrowing TermChanges, of term: UnsafeBufferPointer<UInt8>) throws {
        key.setTail(of: term)
        blocks = nil
        var next = 0
        guard !isNew, try loadTail() else {
            try mergeIntoTail(changes, &next, total: 0, old: 0)
            return
        }
        var total = block.total
        if total > block.count, block.count == 0 || changes.document(0) < block.documents[0] {
            while next < changes.count, try seek(changes.document(next)), !block.isTail {
                try mergeIntoBlock(changes, &next, &total)
            }
            key.setTail()
            guard try loadTail() else { throw block.damaged("is missing at the end of a word") }
        }
        try mergeIntoTail(changes, &next, total: total, old: block.count)
    }

    private func loadTail() throws -> Bool { try block.load(key.bytes, writer, keyspace) }

    /// Loads the block that holds `document` or would hold it.
    private mutating func seek(_ document: UInt64) throws -> Bool {
        if writer.prefetches { return try find(document) }
        if cursor == nil { cursor = try writer.cursor(in: keyspace) }
        guard let cursor else { return false }
        key.setBound(document)
        guard try cursor.seek(to: key.bytes.span.bytes) else { return false }
        let key = key
        return try cursor.withEntry { found, value in
            // Without the tail, the block found is of another term, and none would ever be the last.
            guard found.withUnsafeBytes({ key.isOfSameTerm($0) }) else { throw block.damaged("is missing at the end of a word") }
            try block.load(key: found, value: value)
        }
    }

    /// The same, of blocks that are read in one go.
    private mutating func find(_ document: UInt64) throws -> Bool {
        key.setBound(document)
        if blocks == nil {
            var found: [(key: [UInt8], value: [UInt8])] = []
            let first = key.bytes
            key.setTail()
            try writer.scan(KeyRange(from: first, upTo: key.bytes + [0]), in: keyspace) { key, value in
                found.append(([UInt8](copying: key), [UInt8](copying: value)))
                return .next
            }
            blocks = found
            nextBlock = 0
            key.setBound(document)
        }
        while let blocks, nextBlock < blocks.count {
            let (stored, value) = blocks[nextBlock]
            if !stored.lexicographicallyPrecedes(key.bytes) {
                try block.load(key: stored.span.bytes, value: value.span.bytes)
                return true
            }
            nextBlock += 1
        }
        return false
    }

    // MARK: Blocks

    private mutating func mergeIntoBlock(_ changes: borrowing TermChanges, _ next: inout Int, _ total: inout Int) throws {
        let bound = block.bound
        let fits = block.size + changes.size(upTo: bound, from: next) <= index.blockSize
        total += try mergeDocuments(changes, &next, upTo: bound, limit: fits ? index.blockSize : max(index.blockSize / 2, 1))
        key.setBound(bound)
        if builder.count == 0 { try writer.remove(key.bytes.span.bytes, in: keyspace) } else { try put(total: nil) }
    }

    private mutating func mergeIntoTail(_ changes: borrowing TermChanges, _ next: inout Int, total: Int, old: Int) throws {
        if old == 0, block.count != 0 { block.clear() }
        let total = total + (try mergeDocuments(changes, &next, upTo: .max, limit: index.blockSize))
        guard total >= 0 else { throw block.damaged("counts fewer documents than there are") }
        key.setTail()
        if total == 0 {
            if !isNew { try writer.remove(key.bytes.span.bytes, in: keyspace) }
        } else {
            try put(total: total)
        }
    }

    private mutating func put(total: Int?) throws {
        let (writer, keyspace, key) = (writer, keyspace, key.bytes)
        try builder.finish(key: key, total: total) { try writer.put(key.span.bytes, $0, in: keyspace) }
    }

    /// Writes a full block under its last document.
    private mutating func split() throws {
        key.setBound(builder.last)
        try put(total: nil)
    }

    // MARK: Documents

    /// Merges the block's postings with the changes up to `bound`, writing blocks as they fill to `limit`; what is left stays in the
    /// builder. Returns by how many the documents have grown.
    private mutating func mergeDocuments(
        _ changes: borrowing TermChanges, _ next: inout Int, upTo bound: UInt64, limit: Int
    ) throws -> Int {
        var growth = 0
        var walk = try PostingWalk(block, keepsCounts: index.keepsCounts, keepsPositions: index.keepsPositions)
        while true {
            let stored = walk.document
            let changed = next < changes.count ? changes.document(next) : .max
            let isChange = next < changes.count && changed <= bound && changed <= stored
            if !isChange, walk.isAtEnd { return growth }
            if builder.size >= limit, builder.count > 0 { try split() }
            if isChange {
                let removes = changes.isRemoval(next)
                if !removes {
                    builder.add(changed)
                    changes.withOccurrences(next) { builder.add($0) }
                }
                let replaces = !walk.isAtEnd && stored == changed
                if replaces { try walk.next() }
                growth += (removes ? 0 : 1) - (replaces ? 1 : 0)
                next += 1
            } else {
                builder.add(stored)
                try walk.next { counts, positions in builder.add(counts: counts, positions: positions) }
            }
        }
    }
}
