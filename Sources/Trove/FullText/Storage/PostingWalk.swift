/// A walk over the postings of a block that takes their bytes apart without making anything of them.
struct PostingWalk: ~Copyable {
    private let block: PostingBlock
    private let keepsCounts: Bool
    private let keepsPositions: Bool
    private var posting = 0
    private var countsOffset: Int
    private var positionsOffset: Int

    init(_ block: PostingBlock, keepsCounts: Bool, keepsPositions: Bool) throws {
        self.block = block
        self.keepsCounts = keepsCounts
        self.keepsPositions = keepsPositions
        countsOffset = block.countsStart
        positionsOffset = block.count > 0 && keepsPositions ? try block.positions() : 0
    }

    @inline(__always)
    var isAtEnd: Bool { posting == block.count }

    /// The document of the posting; `UInt64.max` at the end.
    @inline(__always)
    var document: UInt64 { isAtEnd ? .max : block.documents[posting] }

    /// Goes to the next posting.
    mutating func next() throws { try next { _, _ in } }

    /// Goes to the next posting, calling `body` with the bytes of this one's counts (none where they go without saying) and positions.
    @inline(__always)
    mutating func next(_ body: (_ counts: UnsafeRawBufferPointer, _ positions: UnsafeRawBufferPointer) -> Void) throws {
        posting += 1
        guard keepsCounts else { return }
        let contents = block.contents
        var occurrences = 1
        let countsStart = countsOffset
        if block.hasCounts {
            occurrences = 0
            var isLast = false
            while !isLast {
                let run = try block.readCount(contents, &countsOffset, UInt64(block.fieldCount))
                occurrences += run.count
                isLast = run.isLast
            }
        }
        let positionsStart = positionsOffset
        if keepsPositions {
            while occurrences > 0 {
                guard Varint.read(contents, &positionsOffset) != nil else { throw block.damaged("ends among its positions") }
                occurrences -= 1
            }
        }
        body(
            UnsafeRawBufferPointer(rebasing: contents[countsStart..<countsOffset]),
            UnsafeRawBufferPointer(rebasing: contents[positionsStart..<positionsOffset]))
    }
}

extension PostingWalk {
    /// Calls `body` with the occurrences in the bytes of a posting's counts and positions, which were read once before, and 1; without positions with each
    /// field and how many there are.
    @inline(__always)
    static func forEachOccurrence(
        _ counts: UnsafeRawBufferPointer, _ positions: UnsafeRawBufferPointer, fieldCount: Int, hasPositions: Bool = true,
        _ body: (_ occurrence: UInt64, _ count: UInt64) -> Void
    ) {
        var (countsOffset, positionsOffset) = (0, 0)
        repeat {
            let code = Varint.read(counts, &countsOffset) ?? 0
            let (less, field) = (code >> 1).quotientAndRemainder(dividingBy: UInt64(fieldCount))
            if hasPositions {
                var position: UInt64 = 0
                for _ in 0...less {
                    guard let gap = Varint.read(positions, &positionsOffset) else { return }
                    position = (position &+ gap) & 0xFFFF_FFFF
                    body(field << 32 | position, 1)
                }
            } else {
                // A count takes few bytes however high it is, so what has no places is not gone through one by one.
                body(field << 32, less &+ 1)
            }
        } while countsOffset < counts.count
    }
}
