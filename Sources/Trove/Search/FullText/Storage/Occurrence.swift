/// Where a term stands in a document: the field in the upper half, the word's number in the lower.
struct Occurrence: Sendable, Hashable, Comparable, BitwiseCopyable {
    let rawValue: UInt64

    @inline(__always)
    init(rawValue: UInt64) { self.rawValue = rawValue }

    @inline(__always)
    init(field: Int, position: Int) {
        rawValue = UInt64(field) << 32 | UInt64(UInt32(clamping: position))
    }

    @inline(__always)
    var field: Int { Int(rawValue >> 32) }

    @inline(__always)
    var position: UInt32 { UInt32(truncatingIfNeeded: rawValue) }

    @inline(__always)
    static func < (left: Occurrence, right: Occurrence) -> Bool { left.rawValue < right.rawValue }
}
