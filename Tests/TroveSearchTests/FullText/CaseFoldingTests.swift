import Testing

@testable import Trove

@Suite struct CaseFoldingTests {
    private func folded(_ scalar: Unicode.Scalar) -> [UInt32] { CaseFolding.folded(String(scalar)).unicodeScalars.map(\.value) }

    @Test func everyScalarFoldsAsPythonFoldsIt() {
        var expected: [UInt32: [UInt32]] = [:]
        for run in CaseFoldingExpectations.runs { for index in 0..<run[1] { expected[run[0] + index] = [run[2] + index] } }
        for expansion in CaseFoldingExpectations.expansions { expected[expansion[0]] = Array(expansion[1...]) }
        var wrong: [UInt32] = []
        for value in UInt32(0)...0x10_FFFF {
            // Scalars younger than the oracle have nothing to be compared with.
            guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major <= 14 else { continue }
            let wanted = expected[value] ?? scalar.properties.lowercaseMapping.unicodeScalars.map(\.value)
            if folded(scalar) != wanted { wrong.append(value) }
        }
        #expect(wrong == [])
    }

    @Test func scalarsOfOneFolding() {
        var known: [[UInt32]: Set<UInt32>] = [:]
        let scalars = (UInt32(0x41)..<0x600).map { $0 } + (UInt32(0x1E00)..<0x2200)
        for scalar in scalars.compactMap(Unicode.Scalar.init) { known[folded(scalar), default: []].insert(scalar.value) }
        for alike in known.values {
            for scalar in alike {
                let found = Set(CaseFolding.scalars(foldedAs: scalar))
                #expect(found.isSuperset(of: alike) || found.isEmpty && alike.count == 1)
                #expect(found.count <= CaseFolding.maxClassSize)
                #expect(found.compactMap(Unicode.Scalar.init).allSatisfy { folded($0) == folded(Unicode.Scalar(scalar) ?? "?") })
            }
        }
    }

    @Test(arguments: [
        ("Straße", "strasse"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("ﬃ", "ffi"), ("İstanbul", "i\u{307}stanbul"), ("ꭰ", "Ꭰ"), ("", ""),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`@{|}", "abcdefghijklmnopqrstuvwxyz[\\]^_`@{|}"), ("12345678ÄABC", "12345678äabc"), ("𐐀", "𐐨"),
    ]) func texts(text: String, expected: String) {
        #expect(Array(CaseFolding.folded(text).utf8) == Array(expected.utf8))
    }

    /// Bytes that are no UTF-8 stay as they are, and those around them are folded.
    @Test(arguments: [
        [0x41, 0xFF, 0x42], [0xC3], [0x41, 0xE2, 0x82], [0xED, 0xA0, 0x80, 0x41], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80, 0x80],
        [0xF0, 0x80, 0x80, 0x41], [0xC3, 0x41],
    ] as [[UInt8]]) func damagedBytes(bytes: [UInt8]) {
        var folded: [UInt8] = []
        bytes.withUnsafeBufferPointer { CaseFolding.append($0, to: &folded) }
        #expect(folded == bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 })
    }

    @Test func foldingIsAppended() {
        var bytes = Array("Ab".utf8)
        Array("CÄ".utf8).withUnsafeBufferPointer { CaseFolding.append($0, to: &bytes) }
        #expect(bytes == Array("Abcä".utf8))
    }
}
