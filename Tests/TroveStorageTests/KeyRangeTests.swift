import Testing

@testable import TroveStorage

struct KeyRangeTests {
    @Test func `the lower bound belongs to a range, the upper does not`() {
        let range = KeyRange(from: [2], upTo: [4])
        #expect([[1], [1, 0xFF], [2], [2, 0], [3, 0xFF], [4], [4, 0]].map(range.contains) == [false, false, true, true, true, false, false])
    }

    @Test func `without bounds every key is in the range`() {
        #expect(KeyRange.all.contains([0]))
        #expect(KeyRange.all.contains([UInt8](repeating: 0xFF, count: 511)))
        #expect(KeyRange(from: [5]).contains([0xFF, 0xFF]))
        #expect(!KeyRange(from: [5]).contains([4, 0xFF]))
        #expect(!KeyRange.all.isEmpty)
        #expect(!KeyRange(from: [5]).isEmpty)
    }

    @Test func `equal and crossed bounds make an empty range`() {
        #expect(KeyRange(from: [2], upTo: [2]).isEmpty)
        #expect(KeyRange(from: [2, 0], upTo: [2]).isEmpty)
        #expect(KeyRange(from: [], upTo: []).isEmpty)
        #expect(!KeyRange(from: [2], upTo: [2, 0]).isEmpty)
    }

    @Test(arguments: [
        ([], nil), ([1], [2]), ([1, 0xFF], [2]), ([1, 0xFF, 0xFF], [2]), ([0xFF], nil), ([0xFF, 0xFF], nil), ([0xFE, 0xFF], [0xFF]),
        ([0, 0], [0, 1]),
    ] as [([UInt8], [UInt8]?)])
    func `a prefix range ends at the successor of the prefix`(prefix: [UInt8], upper: [UInt8]?) {
        #expect(KeyRange.prefix(prefix) == KeyRange(from: prefix, upTo: upper))
    }

    @Test func `a prefix range holds what begins with the prefix, for every short key`() {
        let bytes: [UInt8] = [0, 1, 0xFE, 0xFF]
        let keys = bytes.flatMap { first in [[first]] + bytes.flatMap { second in [[first, second]] + bytes.map { [first, second, $0] } } }
        for prefix in keys + [[]] {
            let range = KeyRange.prefix(prefix)
            for key in keys { #expect(range.contains(key) == key.starts(with: prefix)) }
        }
    }

    @Test func `the range after a key begins at its successor`() {
        #expect(!KeyRange.after([1]).contains([1]))
        #expect(KeyRange.after([1]).contains([1, 0]))
        #expect(KeyRange.after([1]).contains([2]))
        #expect(!KeyRange.after([1]).contains([0, 0xFF]))
    }
}
