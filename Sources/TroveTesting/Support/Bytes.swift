import TroveStorage

extension Array where Element == UInt8 {
    /// The UTF-8 bytes of `text`.
    init(_ text: String) { self = Array(text.utf8) }

    /// `number` in four bytes, the highest first, so that the order of keys is that of numbers.
    static func number(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
            UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    /// The number that ``number(_:)`` made these bytes of.
    var asNumber: Int { reduce(0) { $0 << 8 | Int($1) } }

    /// `count` bytes that differ with `seed` and from place to place, so that a shifted or torn copy shows.
    static func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var state = UInt64(truncatingIfNeeded: seed &* 0x9E37_79B9 &+ count) | 1
            for index in 0..<count {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                buffer[index] = UInt8(truncatingIfNeeded: state >> 56)
            }
            filled = count
        }
    }

    /// The bytes for a message: text where it is plain, otherwise hexadecimal, cut when long.
    var hexadecimal: String {
        if isEmpty { return "[]" }
        if count <= 64, allSatisfy({ (0x20..<0x7F).contains($0) }) {
            return "'" + String(decoding: self, as: UTF8.self) + "'"
        }
        let digits = prefix(32).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        return "[" + digits.joined(separator: " ") + (count > 32 ? " …, \(count) bytes]" : "]")
    }
}

extension StorageCapabilities {
    /// A key of one byte more than the engine takes; nil when it takes all that a test would make.
    var tooLongKey: [UInt8]? { maxKeySize <= 1 << 20 ? .pattern(maxKeySize + 1) : nil }
}
