import Testing

@testable import TroveStorage

@Suite struct KeyListTests {
    /// Keys of one width, and of several from some place on, as they were appended: with more or less room than they need, and in memory that others had.
    @Test(arguments: [0, 1, 100, 5_000], [0, 40, 3_000]) func hasWhatWasAppended(expected: Int, wide: Int) {
        let keys = (0..<3_000).map { number in
            let key = (0..<16).map { UInt8(truncatingIfNeeded: number >> $0) }
            return number < wide ? key : key + [UInt8](repeating: 7, count: number % 3)
        }
        var list = KeyList()
        list.expect(expected)
        for _ in 0..<2 {
            list.removeAll()
            for key in keys { list.append(key.span.bytes) }
            #expect(list.count == keys.count)
            let found = (0..<list.count).map { list[$0] }
            #expect(found == keys)
        }
    }

    /// Room that was made for many is taken once, and filled as far as keys need it.
    @Test func takesMemoryOnce() {
        var list = KeyList()
        list.expect(100_000)
        list.append([UInt8](repeating: 1, count: 16).span.bytes)
        let capacity = list.buffer.capacity
        #expect(capacity >= 1_600_000)
        #expect(list.buffer.count < 10_000)
        for _ in 1..<100_000 { list.append([UInt8](repeating: 2, count: 16).span.bytes) }
        #expect(list.buffer.capacity == capacity)
    }
}
