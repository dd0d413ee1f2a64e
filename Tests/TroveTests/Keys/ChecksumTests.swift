import Testing

@testable import Trove

/// XXH64 against answers of the python-xxhash module, which wraps the reference implementation.
@Suite struct ChecksumTests {
    private static let vectors: [([UInt8], UInt64, UInt64)] = [
        ([], 0, 0xEF46_DB37_51D8_E999),
        ([], 2_654_435_761, 0xAC75_FDA2_929B_17EF),
        (Array("a".utf8), 0, 0xD24E_C4F1_A98C_6E5B),
        (Array("abc".utf8), 0, 0x44BC_2CF5_AD77_0999),
        (Array("abcd".utf8), 7, 0x7B60_AF38_95A9_F4A9),
        (Array("Bill Evans".utf8), 0, 0x27DF_B0FF_3955_A56A),
        (Array("0123456789abcdef0123456789abcde".utf8), 1, 0xE2CF_275E_22C7_4F2D),
        (Array("0123456789abcdef0123456789abcdef".utf8), 0, 0x642A_9495_8E71_E6C5),
        (Array(0...255), 12_345, 0x90B5_1DB6_250D_0213),
        (Array(0...100), (1 << 63) + 5, 0xBF84_F2FD_7821_C80D),
    ]

    @Test(arguments: vectors.indices) func referenceAnswers(index: Int) {
        let (bytes, seed, expected) = Self.vectors[index]
        #expect(Checksum.hash(bytes, seed: seed) == expected)
    }
}
