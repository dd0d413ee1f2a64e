/// Where a term stands in a document: the field in the upper half, the word's number in the lower.
struct Occurrence: Sendable, Hashable, BitwiseCopyable {
    let rawValue: UInt64

    @inline(__always)
    init(field: Int, position: Int) {
        rawValue = UInt64(field) << 32 | UInt64(UInt32(clamping: position))
    }
}
