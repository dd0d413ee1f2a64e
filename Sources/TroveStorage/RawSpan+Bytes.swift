#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Array where Element == UInt8 {
    /// A copy of the bytes of `span`.
    @inlinable
    public init(copying span: RawSpan) {
        self = span.withUnsafeBytes { [UInt8]($0) }
    }
}

extension RawSpan {
    /// Compares as unsigned bytes; a prefix comes first: negative, zero or
    /// positive as these bytes are below, equal to or above those of `other`.
    public func compare(to other: RawSpan) -> Int {
        withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                let common = min(left.count, right.count)
                if common > 0 {
                    let order = memcmp(left.baseAddress!, right.baseAddress!, common)
                    if order != 0 { return Int(order) }
                }
                return left.count - right.count
            }
        }
    }

    /// Whether both spans hold the same bytes.
    public func isEqual(to other: RawSpan) -> Bool {
        byteCount == other.byteCount && compare(to: other) == 0
    }

    /// Whether these bytes come before those of `other` in key order.
    public func precedes(_ other: RawSpan) -> Bool {
        compare(to: other) < 0
    }
}
