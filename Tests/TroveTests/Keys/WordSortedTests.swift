import TestSupport
import Testing

@testable import Trove

/// Sorts by words, and of keys as words, compared with the standard library's sort, which keeps what is equal in its order.
@Suite struct WordSortedTests {
    private static let sizes = [0, 1, 2, 15, 16, 17, 23, 24, 25, 100, 1_000, 5_000, 70_000]

    /// Spread, in order, alike in the first or the last bits, with few values, and such that each bucket has one word and the rest.
    private static let shapes: [(name: String, word: @Sendable (Int, inout SeededGenerator) -> UInt128)] = [
        ("random", { _, random in UInt128(random.next()) << 64 | UInt128(random.next()) }),
        ("ascending", { number, _ in UInt128(number) }),
        ("descending", { number, _ in UInt128.max - UInt128(number) }),
        ("first bits", { _, random in UInt128(random.next()) << 64 }),
        ("last bits", { _, random in UInt128.max << 20 | UInt128(random.next() >> 44) }),
        ("few", { _, random in UInt128(random.next() % 3) << 100 }),
        ("one", { _, _ in 7 }),
        ("an outlier", { number, random in number == 3 ? .max : UInt128(random.next() % 1_000) }),
        ("powers", { _, random in 1 << UInt128(random.next() % 128) | UInt128(random.next() % 50) }),
    ]

    @Test(arguments: sizes, shapes.indices) func agreesWithTheStandardLibrary(size: Int, shape: Int) {
        var random = SeededGenerator(seed: UInt64(size))
        let words = (0..<size).map { number in
            let word = Self.shapes[shape].word(number, &random)
            return withUnsafeBytes(of: word.bigEndian) { KeyWord($0, number: number) }
        }
        let expected = words.sorted { $0.word < $1.word }
        var sorted = words
        sorted.sortByWord()
        let areEqual = sorted.elementsEqual(expected) { $0.word == $1.word && $0.number == $1.number }
        #expect(areEqual, "\(size) words, \(Self.shapes[shape].name)")
        var plain = words.map(\.word)
        plain.sortByWord()
        #expect(plain == expected.map(\.word))
        var keys = KeyList()
        for word in words { withUnsafeBytes(of: word.word.bigEndian) { keys.append($0) } }
        let numbers = keys.ascending()
        #expect(numbers == expected.map(\.number))
    }

    /// A sort of many can be ended at every look, and loses nothing then. One value for all needs one pass and no look.
    @Test(arguments: shapes.indices.filter { shapes[$0].name != "one" }) func isEnded(shape: Int) {
        struct Ended: Error {}
        var random = SeededGenerator(seed: 5)
        let words = (0..<70_000).map { number in
            let word = Self.shapes[shape].word(number, &random)
            return withUnsafeBytes(of: word.bigEndian) { KeyWord($0, number: number) }
        }
        var looks = 0
        var whole = words
        whole.sortByWord { looks += 1 }
        #expect(looks > 20)
        for last in [1, 2, 3, looks / 2, looks] {
            var (broken, count) = (words, 0)
            #expect(throws: Ended.self) {
                try broken.sortByWord {
                    count += 1
                    if count == last { throw Ended() }
                }
            }
            #expect(Set(broken.map(\.number)).count == words.count, "ended at \(last) of \(looks)")
        }
    }

    /// Keys of each width that a word has, and longer ones, which are compared byte by byte.
    @Test(arguments: 1...18) func listsOfKeys(width: Int) {
        var random = SeededGenerator(seed: UInt64(width))
        let keys = (0..<600).map { _ in (0..<width).map { $0 < width / 2 ? 5 : UInt8.random(in: .min ... .max, using: &random) } }
        var list = KeyList()
        for key in keys + keys.prefix(100) { list.append(key.span.bytes) }
        let all = keys + keys.prefix(100)
        #expect(list.ascending().map { all[$0] } == all.sorted { $0.lexicographicallyPrecedes($1) })
        list.sortUniquely()
        let expected = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        #expect((0..<list.count).map { list[$0] } == expected)
        let order = keys.flatMap { $0 }.withUnsafeBytes { bytes in
            KeyList.ascending(keys.count) { UnsafeRawBufferPointer(rebasing: bytes[$0 * width..<($0 + 1) * width]) }
        }
        #expect(order.map { keys[$0] } == keys.sorted { $0.lexicographicallyPrecedes($1) })
    }
}
