import TroveStorage

extension Array where Element == UInt8 {
    /// Compares in key order: negative, zero or positive as these bytes are below, equal to or above `other`.
    func compare(to other: [UInt8]) -> Int { span.bytes.compare(to: other.span.bytes) }

    /// Whether these bytes come before `other` in key order.
    func precedes(_ other: [UInt8]) -> Bool { compare(to: other) < 0 }
}
