/// Builds the postings of one block: documents, counts and positions side by side, put together at the end.
struct PostingBlockBuilder: ~Copyable {
    private let index: InvertedIndex
    private var documents = ByteWriter(capacity: 1024)
    private var counts = ByteWriter(capacity: 1024)
    private var positions = ByteWriter(capacity: 1024)
    private var value = ByteWriter(capacity: 2048)
    private(set) var count = 0
    private(set) var last: UInt64 = 0
    /// Whether all postings so far have one occurrence in the first field, so that the counts go without saying.
    private var isPlain = true

    init(_ index: InvertedIndex) { self.index = index }

    /// About how many bytes the block has so far.
    @inline(__always)
    var size: Int { documents.count + positions.count + (isPlain ? 0 : counts.count) + 8 }

    /// Adds a document that is above the last one; its counts and positions follow.
    @inline(__always)
    mutating func add(_ document: UInt64) {
        documents.append(varint: count == 0 ? document : document - last - 1)
        last = document
        count += 1
    }

    /// Adds the counts and positions of the document added last; none is meant as one occurrence in the first field.
    @inline(__always)
    mutating func add(_ occurrences: UnsafeBufferPointer<UInt64>) {
        guard index.keepsCounts else { return }
        if occurrences.count == 1, occurrences[0] >> 32 == 0 {
            counts.append(UInt8(0))
            if index.keepsPositions { positions.append(varint: occurrences[0]) }
            return
        }
        addRuns(occurrences)
    }

    /// Adds the occurrences field by field. They ascend.
    private mutating func addRuns(_ occurrences: UnsafeBufferPointer<UInt64>) {
        isPlain = false
        var start = 0
        while start < occurrences.count {
            let field = occurrences[start] >> 32
            var end = start
            var previous: UInt64 = 0
            while end < occurrences.count, occurrences[end] >> 32 == field {
                let position = occurrences[end] & 0xFFFF_FFFF
                if index.keepsPositions { positions.append(varint: position - previous) }
                previous = position
                end += 1
            }
            let code = (UInt64(end - start - 1) * UInt64(index.fieldCount) + field) << 1
            counts.append(varint: end < occurrences.count ? code | 1 : code)
            start = end
        }
    }

    /// Adds the counts and positions of the document added last as another block has them; no counts stand for one occurrence in
    /// the first field.
    @inline(__always)
    mutating func add(counts: UnsafeRawBufferPointer, positions: UnsafeRawBufferPointer) {
        if counts.isEmpty {
            self.counts.append(UInt8(0))
        } else {
            if counts.count != 1 || counts[0] != 0 { isPlain = false }
            self.counts.append(counts)
        }
        self.positions.append(positions)
    }

    /// Calls `body` with the block's value, `total` being the term's documents in a tail, and begins the next block.
    mutating func finish(key: [UInt8], total: Int?, _ body: (RawSpan) throws -> Void) throws {
        value.count = 0
        value.append(UInt32(0))
        value.append((total == nil ? 0 : PostingBlock.tailFlag) | (isPlain ? 0 : PostingBlock.countsFlag))
        value.append(varint: UInt64(count))
        if let total { value.append(varint: UInt64(total)) }
        documents.withBytes { $0.withUnsafeBytes { value.append($0) } }
        if !isPlain { counts.withBytes { $0.withUnsafeBytes { value.append($0) } } }
        positions.withBytes { $0.withUnsafeBytes { value.append($0) } }
        try value.sealAndPass(key, body)
        documents.count = 0
        counts.count = 0
        positions.count = 0
        count = 0
        last = 0
        isPlain = true
    }
}

extension ByteWriter {
    /// Writes the checksum into the four bytes kept for it at the beginning, and calls `body` with the whole value.
    mutating func sealAndPass(_ key: [UInt8], _ body: (RawSpan) throws -> Void) throws {
        let rest = UnsafeRawBufferPointer(start: base + FullTextFormat.checksumSize, count: count - FullTextFormat.checksumSize)
        let checksum = key.withUnsafeBytes { FullTextFormat.checksum(of: rest, key: $0) }
        base.storeBytes(of: checksum.littleEndian, as: UInt32.self)
        try withBytes(body)
    }
}
