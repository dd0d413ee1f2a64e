/// The key of a block of postings: the term, a zero byte, and the highest document number the block may hold.
///
/// The last block of a term, its *tail*, has no such bound, so that new documents go into it without changing its key, and one
/// look-up finds how many documents a term has. Terms hold no zero byte.
struct PostingKey {
    private(set) var bytes: [UInt8] = []
    private var termCount = 0

    init() { bytes.reserveCapacity(WordAnalyzer.maxWordSize + 12) }

    /// Makes this the key of the tail of `term`.
    mutating func setTail(of term: UnsafeBufferPointer<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: term)
        bytes.append(0)
        termCount = bytes.count
        bytes.append(OrderedNumber.infinity)
    }

    /// Makes this the key of the term's block up to `bound`.
    mutating func setBound(_ bound: UInt64) {
        bytes.removeSubrange(termCount...)
        OrderedNumber.append(bound, to: &bytes)
    }

    /// Makes this the key of the tail of the same term.
    mutating func setTail() {
        bytes.removeSubrange(termCount...)
        bytes.append(OrderedNumber.infinity)
    }

    /// Whether the block of a stored key may hold a document; false for bytes that are no such key.
    static func holds(_ document: UInt64, _ key: RawSpan) -> Bool {
        key.withUnsafeBytes { parts(of: $0).map { $0.bound >= document } ?? false }
    }

    /// Whether a stored key is of a block of this key's term.
    func isOfSameTerm(_ key: UnsafeRawBufferPointer) -> Bool {
        key.count > termCount && key.prefix(termCount).elementsEqual(bytes[..<termCount])
    }

    /// The term of a stored key and the highest number of its block, `UInt64.max` for the tail; nil for bytes that are no such key.
    static func parts(of key: UnsafeRawBufferPointer) -> (termCount: Int, bound: UInt64)? {
        // The number's bytes may be zero, the term's are not: the first zero ends the term.
        guard let end = key.firstIndex(of: 0), end > 0, end + 1 < key.count else { return nil }
        if key[end + 1] == OrderedNumber.infinity { return end + 2 == key.count ? (end, .max) : nil }
        guard let (bound, last) = OrderedNumber.read(key, at: end + 1), last == key.count, bound < FullTextFormat.numberLimit else { return nil }
        return (end, bound)
    }
}

/// One block of postings, read: the documents, and on demand how often and where they hold the term.
///
/// A block's value is the checksum, a byte of flags, the number of postings, in a tail the number of documents the term has in
/// all, then the documents (the first, then the gaps less one), the counts unless all are alike, and the positions. Its memory
/// serves one block after the other.
final class PostingBlock {
    static let tailFlag: UInt8 = 1
    static let countsFlag: UInt8 = 2

    private let index: InvertedIndex
    /// The value after its checksum. Belongs to this object, as the next two do.
    private var bytes: UnsafeMutableRawBufferPointer
    /// The documents' numbers, ascending; `count` are filled.
    private(set) var documents: UnsafeMutableBufferPointer<UInt64>
    private(set) var count = 0
    /// The highest number the block may hold; `UInt64.max` in a tail.
    private(set) var bound: UInt64 = 0
    /// In a tail, the number of documents the term has.
    private(set) var total = 0
    private(set) var size = 0
    private(set) var hasCounts = false
    private(set) var countsStart = 0
    /// Where the positions begin; 0 until that is known.
    private var positionsStart = 0

    var isTail: Bool { bound == .max }
    /// The value after its checksum.
    var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<size]) }
    var fieldCount: Int { index.fieldCount }

    init(_ index: InvertedIndex) {
        self.index = index
        bytes = .allocate(byteCount: 1024, alignment: 8)
        documents = .allocate(capacity: 512)
    }

    deinit {
        bytes.deallocate()
        documents.deallocate()
    }

    /// Reads the block stored under `key`; false when there is none.
    func load(_ key: [UInt8], _ reader: any StorageReader, _ keyspace: Keyspace) throws -> Bool {
        let key = key.span.bytes
        return try reader.get(key, in: keyspace) { try load(key: key, value: $0) }
    }

    /// Reads a block.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)`` when it is not as it was written.
    func load(key: RawSpan, value: RawSpan) throws {
        try key.withUnsafeBytes { key in try value.withUnsafeBytes { try load(key: key, value: $0) } }
    }

    /// Reads the block that follows this one in the keyspace, which has to be of the same term and of higher documents.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)`` when it is not; a search that believed it could go round for ever.
    func loadNext(key: RawSpan, value: RawSpan, of term: borrowing PostingKey) throws {
        let last = bound
        guard key.withUnsafeBytes({ term.isOfSameTerm($0) }) else { throw damaged("is missing at the end of a word") }
        try load(key: key, value: value)
        guard bound > last, count == 0 || documents[0] > last else { throw damaged("holds documents of the one before it") }
    }

    private func load(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws {
        count = 0
        guard let parts = PostingKey.parts(of: key) else { throw damaged("has a key that is not valid") }
        guard let rest = FullTextFormat.checked(value, key: key) else { throw damaged("does not fit its checksum") }
        if rest.count > bytes.count {
            bytes.deallocate()
            bytes = .allocate(byteCount: rest.count + rest.count / 4, alignment: 8)
        }
        bytes.copyMemory(from: rest)
        size = rest.count
        bound = parts.bound
        positionsStart = 0
        var offset = 1
        guard let flags = rest.first, (flags & Self.tailFlag != 0) == isTail, flags < 4,
            let stored = Varint.read(rest, &offset), stored <= UInt64(rest.count)
        else { throw damaged("has no header") }
        total = Int(stored)
        if isTail {
            guard let all = Varint.read(rest, &offset), all >= stored, all <= FullTextFormat.numberLimit else { throw damaged("has no header") }
            total = Int(all)
        }
        hasCounts = flags & Self.countsFlag != 0
        try readDocuments(Int(stored), rest, &offset)
        countsStart = offset
    }

    private func readDocuments(_ stored: Int, _ rest: UnsafeRawBufferPointer, _ offset: inout Int) throws {
        if stored > documents.count {
            documents.deallocate()
            documents = .allocate(capacity: stored + stored / 4)
        }
        let documents = documents.baseAddress.unsafelyUnwrapped  // It has room for at least 512.
        var previous: UInt64 = 0
        var position = offset
        for index in 0..<stored {
            guard let gap = Varint.read(rest, &position) else { throw damaged("ends among its documents") }
            let (number, overflows) = previous.addingReportingOverflow(gap)
            guard !overflows, number <= bound, number < FullTextFormat.numberLimit else { throw damaged("holds a document beyond its bound") }
            documents[index] = number
            previous = number &+ 1
        }
        offset = position
        count = stored
    }

    /// Makes this a block of nothing.
    func clear() {
        count = 0
        size = 0
        hasCounts = false
    }

    // MARK: Counts and positions

    /// Calls `body` with each posting's index, field and count, in order. In a posting of several fields `isLast` is false for all but the last.
    @inline(__always)
    func forEachCount(_ body: (_ posting: Int, _ field: Int, _ count: Int, _ isLast: Bool) throws -> Void) throws {
        guard hasCounts else {
            for posting in 0..<count { try body(posting, 0, 1, true) }
            positionsStart = countsStart
            return
        }
        let contents = contents
        let fields = UInt64(index.fieldCount)
        var offset = countsStart
        for posting in 0..<count {
            while true {
                let (field, occurrences, isLast) = try readCount(contents, &offset, fields)
                try body(posting, field, occurrences, isLast)
                if isLast { break }
            }
        }
        positionsStart = offset
    }

    /// The next count of a posting: twice ((count - 1) * fields + field), plus 1 when another field follows.
    @inline(__always)
    func readCount(_ contents: UnsafeRawBufferPointer, _ offset: inout Int, _ fields: UInt64) throws -> (field: Int, count: Int, isLast: Bool) {
        guard let code = Varint.read(contents, &offset) else { throw damaged("ends among its counts") }
        let (less, field) = (code >> 1).quotientAndRemainder(dividingBy: fields)
        guard less < UInt64(UInt32.max) else { throw damaged("has a count that is not valid") }
        return (Int(field), Int(less) + 1, code & 1 == 0)
    }

    /// Where the positions begin.
    func positions() throws -> Int {
        if positionsStart == 0 { try forEachCount { _, _, _, _ in } }
        return positionsStart
    }

    /// The index of the first posting from `start` on whose document is `document` or above; `count` when there is none.
    @inline(__always)
    func firstIndex(atLeast document: UInt64, from start: Int) -> Int {
        var (low, high) = (start, count)
        // Mostly it is near.
        var step = 1
        while low + step < high, documents[low + step] < document {
            low += step
            step <<= 1
        }
        high = min(high, low + step + 1)
        while low < high {
            let middle = (low + high) >> 1
            if documents[middle] < document { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func damaged(_ what: String) -> TroveError { index.corrupt("a block of postings \(what); rebuild the index") }
}
