#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Comparisons of bytes in place.
enum ByteOrder {
    @inline(__always)
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
    }

    /// Compares as unsigned bytes, the shorter first when one begins the other.
    @inline(__always)
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ValueOrder {
        let common = min(left.count, right.count)
        if common > 0, let first = left.baseAddress, let second = right.baseAddress {
            let order = memcmp(first, second, common)
            if order != 0 { return order < 0 ? .less : .greater }
        }
        return ValueOrder(left.count, right.count)
    }

    /// Whether bytes come before others; many are sorted by it.
    @inline(__always)
    static func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { compare(left, $0) == .less } }
    }

    /// Whether `text` begins with, ends with or contains `part`.
    static func test(_ test: TextTest, _ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= text.count else { return false }
        guard let base = text.baseAddress, let sought = part.baseAddress, !part.isEmpty else { return true }
        return switch test {
        case .hasPrefix: memcmp(base, sought, part.count) == 0
        case .hasSuffix: memcmp(base + (text.count - part.count), sought, part.count) == 0
        case .contains: contains(base, text.count, sought, part.count)
        }
    }

    /// Whether `count` bytes have `soughtCount` others in them, at least one and at most as many.
    private static func contains(_ base: UnsafeRawPointer, _ count: Int, _ sought: UnsafeRawPointer, _ soughtCount: Int) -> Bool {
        let first = Int32(sought.load(as: UInt8.self))
        let headCount = min(soughtCount, 16)
        var place = base
        let last = base + (count - soughtCount)
        // How many bytes may be compared in vain, since all places of a text of one letter begin like a long one of it.
        var rest = 4_096 &+ 8 &* count
        while place <= last {
            guard let found = memchr(place, first, last - place + 1) else { return false }
            place = UnsafeRawPointer(found) + 1
            guard memcmp(found, sought, headCount) == 0 else { continue }
            if headCount == soughtCount || memcmp(found, sought, soughtCount) == 0 { return true }
            rest &-= soughtCount
            if rest < 0 { return containsByTable(UnsafeRawBufferPointer(start: place, count: count - (place - base)), sought, soughtCount) }
        }
        return false
    }

    /// The same in time in proportion to both, by the table of Knuth, Morris and Pratt: how much of what is sought is found already where a byte differs.
    private static func containsByTable(_ text: UnsafeRawBufferPointer, _ sought: UnsafeRawPointer, _ soughtCount: Int) -> Bool {
        let sought = UnsafeRawBufferPointer(start: sought, count: soughtCount)
        // Made for each record, so with numbers of half the size: a value has at most 512 MB.
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: soughtCount) { table in
            table.initialize(repeating: 0)
            func grown(_ found: Int, by byte: UInt8) -> Int {
                var found = found
                while found > 0, sought[found] != byte { found = Int(table[found - 1]) }
                return sought[found] == byte ? found + 1 : 0
            }
            for place in 1..<soughtCount { table[place] = UInt32(grown(Int(table[place - 1]), by: sought[place])) }
            var found = 0
            for byte in text {
                found = grown(found, by: byte)
                if found == soughtCount { return true }
            }
            return false
        }
    }
}

/// How two values stand to each other.
enum ValueOrder {
    case less, same, greater
    /// They have no order: a NaN, or values of kinds that do not compare.
    case none

    @inline(__always)
    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .less : left == right ? .same : .greater
    }

    var reversed: ValueOrder {
        switch self {
        case .less: .greater
        case .greater: .less
        case .same, .none: self
        }
    }

    /// Whether values in this order pass a comparison.
    @inline(__always)
    func passes(_ comparison: Comparison) -> Bool {
        switch comparison {
        case .equal: self == .same
        case .notEqual: self != .same
        case .less: self == .less
        case .lessOrEqual: self == .less || self == .same
        case .greater: self == .greater
        case .greaterOrEqual: self == .greater || self == .same
        }
    }
}

/// Comparisons of texts by their folding, without making it where the text is ASCII.
enum FoldedText {
    /// Calls `body` with the UTF-8 of the folding of a text.
    static func withFolding<Result>(
        of text: UnsafeRawBufferPointer, _ folding: TextFolding, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        if folding.isEmpty { return try body(text) }
        guard text.isASCII else {
            var folded: [UInt8] = []
            folding.append(text.assumingMemoryBound(to: UInt8.self), to: &folded)
            return try folded.withUnsafeBytes(body)
        }
        guard folding.contains(.case) else { return try body(text) }
        return try withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { folded in
            for index in 0..<text.count { folded[index] = lowercased(text[index]) }
            return try body(UnsafeRawBufferPointer(folded))
        }
    }

    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ folding: TextFolding) -> ValueOrder {
        withFolding(of: left, folding) { left in withFolding(of: right, folding) { right in ByteOrder.compare(left, right) } }
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 65 < 26 ? byte | 0x20 : byte
    }
}
