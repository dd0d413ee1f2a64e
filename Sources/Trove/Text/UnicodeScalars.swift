/// A value for each Unicode scalar, found in two steps: most blocks of 64 scalars are alike and stored once.
struct ScalarTable<Value: Hashable & Sendable & BitwiseCopyable>: Sendable {
    private let blocks: [UInt16]
    private let values: [Value]
    private let common: Value

    /// The values that `fill` sets in an array indexed by scalar, in which all are `common` at first; from `limit` on they stay so.
    init(common: Value, limit: UInt32, _ fill: (inout [Value]) -> Void) {
        let blockCount = (Int(limit) + 63) >> 6
        var all = [Value](repeating: common, count: blockCount << 6)
        fill(&all)
        var blocks = [UInt16](repeating: 0, count: blockCount)
        var values = [Value](repeating: common, count: 64)
        var known: [ArraySlice<Value>: UInt16] = [:]
        for block in 0..<blockCount {
            let content = all[block << 6..<(block + 1) << 6]
            if content.allSatisfy({ $0 == common }) { continue }
            let number = known[content] ?? UInt16(values.count >> 6)
            if known.updateValue(number, forKey: content) == nil { values += content }
            blocks[block] = number
        }
        self.blocks = blocks
        self.values = values
        self.common = common
    }

    @inline(__always)
    subscript(scalar: UInt32) -> Value {
        let block = Int(scalar >> 6)
        guard block < blocks.count else { return common }
        return values[Int(blocks[block]) << 6 | Int(scalar & 63)]
    }
}

/// One scalar read from bytes that should be UTF-8.
struct UTF8Scalar {
    /// The scalar, or U+FFFD for bytes that are no UTF-8.
    let value: UInt32
    /// How many bytes it takes; 1 where the bytes are no UTF-8.
    let length: Int
    let isValid: Bool

    /// The scalar at `position`, which is below `bytes.count`.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        let first = bytes[position]
        if first < 0x80 {
            self.init(value: UInt32(first), length: 1, isValid: true)
        } else {
            self.init(bytes, at: position, first: first)
        }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int, first: UInt8) {
        let length: Int
        var value: UInt32
        switch first {
        case 0xC2...0xDF: (length, value) = (2, UInt32(first & 0x1F))
        case 0xE0...0xEF: (length, value) = (3, UInt32(first & 0x0F))
        case 0xF0...0xF4: (length, value) = (4, UInt32(first & 0x07))
        default:
            self = .invalid
            return
        }
        guard position + length <= bytes.count else {
            self = .invalid
            return
        }
        for offset in 1..<length {
            let byte = bytes[position + offset]
            guard byte & 0xC0 == 0x80 else {
                self = .invalid
                return
            }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let isValid = length == 2 || (length == 3 ? value >= 0x800 && value >> 11 != 0x1B : value >= 0x1_0000 && value <= 0x10_FFFF)
        self = isValid ? UTF8Scalar(value: value, length: length, isValid: true) : .invalid
    }

    private init(value: UInt32, length: Int, isValid: Bool) {
        self.value = value
        self.length = length
        self.isValid = isValid
    }

    private static var invalid: UTF8Scalar { UTF8Scalar(value: 0xFFFD, length: 1, isValid: false) }
}

extension Array where Element == UInt8 {
    /// Appends the UTF-8 bytes of a scalar.
    @inline(__always)
    mutating func append(utf8 scalar: UInt32) {
        if scalar < 0x80 {
            append(UInt8(truncatingIfNeeded: scalar))
        } else if scalar < 0x800 {
            append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
            append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
        } else {
            if scalar < 0x1_0000 {
                append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            } else {
                append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
                append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
            }
            append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
            append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
        }
    }
}
