/// Whether an integer, of any width, is one of a list.
final class IntegerListNode: FilterNode {
    private let reader: FieldReader
    /// Ascending.
    private let integers: [Int64]
    private let hasNil: Bool
    var cost: Int { reader.access.cost + 20 }

    init(_ reader: FieldReader, _ integers: Set<Int64>, hasNil: Bool) {
        self.reader = reader
        self.integers = integers.sorted()
        self.hasNil = hasNil
    }

    func matches(_ record: RecordView) throws -> Bool {
        switch try reader.access.value(in: record) {
        case .null: return hasNil
        case .int(let value):
            var (low, high) = (0, integers.count)
            while low < high {
                let middle = (low &+ high) / 2
                if integers[middle] < value { low = middle &+ 1 } else { high = middle }
            }
            return low < integers.count && integers[low] == value
        default: return false
        }
    }
}

/// Whether a text in the record's variable part is one of a list, by its bytes.
final class TextListNode: FilterNode {
    private let reader: FieldReader
    /// The texts, ascending by their first bytes as a number, then by all of them.
    private let entries: [(head: UInt64, text: [UInt8])]
    private let hasNil: Bool
    var cost: Int { reader.access.cost + 25 }

    init(_ reader: FieldReader, _ texts: Set<[UInt8]>, hasNil: Bool) {
        self.reader = reader
        self.hasNil = hasNil
        // Bytes filled up with zeros: of two texts the lower has no higher head.
        entries = texts.sorted { $0.lexicographicallyPrecedes($1) }.map { text in
            (text.withUnsafeBytes { Self.head($0) }, text)
        }
    }

    func matches(_ record: RecordView) throws -> Bool {
        switch try reader.access.value(in: record) {
        case .null: return hasNil
        case .text(let text): return contains(text)
        default: return false
        }
    }

    private func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        let head = Self.head(text)
        return entries.withUnsafeBufferPointer { entries in
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low &+ high) / 2
                if entries[middle].head < head { low = middle &+ 1 } else { high = middle }
            }
            while low < entries.count, entries[low].head == head {
                if entries[low].text.withUnsafeBytes({ ByteOrder.areEqual($0, text) }) { return true }
                low &+= 1
            }
            return false
        }
    }

    /// The first eight bytes as a number in their order.
    @inline(__always)
    private static func head(_ text: UnsafeRawBufferPointer) -> UInt64 {
        if text.count >= 8 { return UInt64(bigEndian: text.loadUnaligned(as: UInt64.self)) }
        var head: UInt64 = 0
        for byte in text { head = head << 8 | UInt64(byte) }
        return text.isEmpty ? 0 : head << UInt64(8 * (8 - text.count))
    }
}
