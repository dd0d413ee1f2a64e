import Testing

@testable import Trove

/// Checksums of records against answers of the same rules written in Python.
@Suite struct RecordChecksumTests {
    /// The sizes of body and key, the first four bytes, and the answer.
    private static let vectors: [(body: Int, key: Int, head: UInt32, expected: UInt32)] = [
        (0, 1, 0x0, 0xFE9F9D05),
        (0, 16, 0x10001, 0x2E2B42E8),
        (1, 2, 0x7, 0xCB791CC7),
        (3, 4, 0x7, 0xABFD6A9D),
        (4, 7, 0x7, 0x105D22EF),
        (7, 8, 0x7, 0x9689EFE5),
        (8, 15, 0x7, 0xFC796E18),
        (15, 16, 0xFFFFFFFF, 0x12682F5D),
        (16, 17, 0x7, 0x88FBA041),
        (17, 32, 0x7, 0x13D4AF3C),
        (31, 33, 0x7, 0xA0F8599B),
        (32, 511, 0x7, 0x955C8196),
        (100, 16, 0x10001, 0x52F670D6),
        (1000, 16, 0x10001, 0x412CAF6B),
    ]

    private static func bytes(_ count: Int, _ factor: Int, _ start: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 * factor + start) }
    }

    private static func hash(_ body: [UInt8], _ key: [UInt8], _ head: UInt32) -> UInt32 {
        body.withUnsafeBytes { body in key.withUnsafeBytes { RecordChecksum.hash(body, key: $0, head: head) } }
    }

    @Test(arguments: vectors.indices) func otherProgramsAnswers(index: Int) {
        let vector = Self.vectors[index]
        #expect(Self.hash(Self.bytes(vector.body, 7, 1), Self.bytes(vector.key, 5, 3), vector.head) == vector.expected)
    }

    /// Every bit of body, key and head counts, whatever their sizes.
    @Test func everyBitCounts() {
        for (bodySize, keySize) in [(1, 1), (2, 3), (5, 9), (12, 16), (16, 20), (40, 16), (90, 16), (129, 33)] {
            let (body, key) = (Self.bytes(bodySize, 7, 1), Self.bytes(keySize, 5, 3))
            let hash = Self.hash(body, key, 5)
            for bit in 0..<bodySize * 8 {
                var changed = body
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(Self.hash(changed, key, 5) != hash)
            }
            for bit in 0..<keySize * 8 {
                var changed = key
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(Self.hash(body, changed, 5) != hash)
            }
            for bit in 0..<32 { #expect(Self.hash(body, key, 5 ^ 1 << UInt32(bit)) != hash) }
        }
    }

    /// Bytes that move between key and body, zeros at the end and swapped words are noticed.
    @Test func placesCount() {
        #expect(Self.hash([1, 2], [3], 1) != Self.hash([2], [3, 1], 1))
        #expect(Self.hash([0], [1], 1) != Self.hash([0, 0], [1], 1))
        #expect(Self.hash([], [1], 1) != Self.hash([0], [1], 1))
        let words = Self.bytes(64, 7, 1)
        for first in stride(from: 0, to: 64, by: 8) {
            for second in stride(from: first + 8, to: 64, by: 8) {
                var swapped = words
                for index in 0..<8 { swapped.swapAt(first + index, second + index) }
                #expect(Self.hash(swapped, [1], 1) != Self.hash(words, [1], 1))
            }
        }
    }
}
