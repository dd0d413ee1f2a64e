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

    /// The term of a stored key and the highest number of its block, `UInt64.max` for the tail; nil for bytes that are no such key.
    static func parts(of key: UnsafeRawBufferPointer) -> (termCount: Int, bound: UInt64)? {
        // The number's bytes may be zero, the term's are not: the first zero ends the term.
        guard let end = key.firstIndex(of: 0), end > 0, end + 1 < key.count else { return nil }
        if key[end + 1] == OrderedNumber.infinity { return end + 2 == key.count ? (end, .max) : nil }
        guard let (bound, last) = OrderedNumber.read(key, at: end + 1), last == key.count else { return nil }
        return (end, bound)
    }
}
