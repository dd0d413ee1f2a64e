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
