extension KeyRange {
    /// A key about in the middle of what is above `lower` and below `upper`, by the bytes as numbers; nil when they are too close to each other.
    static func middle(_ lower: [UInt8], _ upper: [UInt8]) -> [UInt8]? {
        var common = 0
        while common < lower.count, common < upper.count, lower[common] == upper[common] { common += 1 }
        func number(_ key: [UInt8]) -> UInt64 {
            (common..<common + 8).reduce(0) { $0 << 8 | UInt64($1 < key.count ? key[$1] : 0) }
        }
        let (low, high) = (number(lower), number(upper))
        guard high > low, high - low > 1 else { return nil }
        let middle = low + (high - low) / 2
        return lower.prefix(common) + withUnsafeBytes(of: middle.bigEndian) { Array($0) }
    }
}
