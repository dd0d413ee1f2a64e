import Foundation
import TestSupport
import Testing

@testable import Trove

/// What texts are compared without.
@Suite struct TextFoldingTests {
    /// The letters of scripts that have accents, and these; no more, since Foundation takes long.
    private static let scalars: [Unicode.Scalar] = ([0xA0...0x52F, 0x5B0...0x5EA, 0x620...0x655, 0x1E00...0x1FFF, 0x2120...0x2130, 0xFB00...0xFB4F] as [ClosedRange<UInt32>])
        .joined().compactMap { Unicode.Scalar($0) }

    private static func text(_ scalar: Unicode.Scalar) -> String { String(Character(scalar)) }

    @Test(arguments: TextFolding.every) func everyLetterIsFoldedAsItsDecompositionSays(folding: TextFolding) {
        // A long s with a dot is an s where accents alone are ignored, as its folding is; its decomposition has a long s.
        let wrong = Self.scalars.filter {
            $0.value != 0x1E9B && !folding.folded(Self.text($0)).hasBytes(of: PlainFolding.folded(Self.text($0), folding))
        }
        #expect(wrong == [])
    }

    /// The same word is the same word in a full-text index.
    @Test func lettersAreThoseOfFullText() {
        var analyzer = WordAnalyzer(FullTextOptions())
        for text in ["Čechomor", "ŁÓDŹ", "Ørsted", "ΆΛΦΑ", "Ёлка", "naïve", "Straße", "ﬁn", "e\u{301}te", "ÅNGSTRÖM"] {
            var words: [String] = []
            var copy = text
            _ = copy.withUTF8 { analyzer.forEachWord(in: $0) { word, _, _ in words.append(String(decoding: word, as: UTF8.self)) } }
            #expect(words == [([.case, .diacritics] as TextFolding).folded(text)], "\(text)")
        }
    }

    @Test(arguments: [
        "Café", "Cafe\u{301}", "São Paulo", "Übergrößenträger", "ÀÉÎÕÜ ç ñ ž ő", "Ελλάδα", "Всё ещё", "Ǖǘ", "ệ", "İstanbul", "Å and \u{212B}", "日本語 ABC", "", "1½",
    ]) func agreesWithFoundation(text: String) {
        let foundation = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        #expect(([.case, .diacritics] as TextFolding).folded(text).hasBytes(of: foundation))
    }

    /// Folding twice is folding once, and what is ignored first is ignored after: so who ignores more finds at least as much.
    @Test func lessFollowsFromMore() {
        var wrong: Set<Unicode.Scalar> = []
        for scalar in Self.scalars {
            let text = Self.text(scalar)
            for folding in TextFolding.every {
                let folded = folding.folded(text)
                for other in TextFolding.every where other.isSuperset(of: folding) && !other.folded(folded).hasBytes(of: other.folded(text)) {
                    wrong.insert(scalar)
                }
            }
        }
        #expect(wrong == [])
    }

    @Test(arguments: [
        ("Éa e\u{301}\u{308} Ñ", "Ea e N"), ("ŁÓDŹ łódź", "LODZ lodz"), ("İı", "Ii"), ("ᾼ ᾷ α\u{345}", "Αι αι αι"), ("ßﬁ", "ßﬁ"), ("\u{301}", ""), ("ǰ", "j"),
        ("か\u{3099} 가 \u{93F}", "か\u{3099} 가 \u{93F}"), ("שָׁלוֹם", "שלום"), ("plain", "plain"),
    ]) func caseStaysWhereAccentsAloneAreIgnored(text: String, expected: String) {
        #expect(TextFolding.diacritics.folded(text).hasBytes(of: expected))
    }

    @Test func bitsWithoutAnOptionAreLeftOut() {
        #expect(TextFolding(rawValue: 0xFF) == [.case, .diacritics] && TextFolding(rawValue: 4).isEmpty)
    }

    /// Bytes that are no UTF-8 stay as they are, and those around them are folded.
    @Test func damagedBytes() {
        let bytes: [UInt8] = [0x41, 0xFF, 0xC3, 0x89, 0xC3]
        for (folding, expected) in [(TextFolding(), bytes), (.diacritics, [0x41, 0xFF, 0x45, 0xC3]), ([.case, .diacritics], [0x61, 0xFF, 0x65, 0xC3])] as [(TextFolding, [UInt8])] {
            var folded: [UInt8] = [0x2A]
            bytes.withUnsafeBufferPointer { folding.append($0, to: &folded) }
            #expect(folded == [0x2A] + expected)
        }
    }
}
