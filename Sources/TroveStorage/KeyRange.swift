/// A half-open range of keys: `lower` belongs to it, `upper` does not.
///
/// ```swift
/// KeyRange.prefix(Array("artist/".utf8))
/// KeyRange(from: last, upTo: nil)
/// ```
public struct KeyRange: Sendable, Hashable {
    /// The least key of the range; empty for no bound.
    public let lower: [UInt8]

    /// The least key above the range; nil for no bound.
    public let upper: [UInt8]?

    /// The keys from `lower` up to, but without, `upper`.
    @inlinable
    public init(from lower: [UInt8] = [], upTo upper: [UInt8]? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// Every key.
    public static let all = KeyRange()

    /// The keys that begin with `prefix`.
    public static func prefix(_ prefix: [UInt8]) -> KeyRange {
        KeyRange(from: prefix, upTo: successor(ofPrefix: prefix))
    }

    /// The keys above `key`.
    public static func after(_ key: [UInt8]) -> KeyRange {
        KeyRange(from: key + [0])
    }

    /// Whether no key can be in the range.
    public var isEmpty: Bool {
        guard let upper else { return false }
        return lower.span.bytes.compare(to: upper.span.bytes) >= 0
    }

    /// Whether `key` is in the range.
    public func contains(_ key: [UInt8]) -> Bool {
        if key.lexicographicallyPrecedes(lower) { return false }
        guard let upper else { return true }
        return key.lexicographicallyPrecedes(upper)
    }

    /// The least key above all keys that begin with `prefix`; nil when there is none (all bytes are 0xFF).
    static func successor(ofPrefix prefix: [UInt8]) -> [UInt8]? {
        var bytes = prefix
        while let last = bytes.last {
            if last < 0xFF {
                bytes[bytes.count - 1] = last + 1
                return bytes
            }
            bytes.removeLast()
        }
        return nil
    }
}
