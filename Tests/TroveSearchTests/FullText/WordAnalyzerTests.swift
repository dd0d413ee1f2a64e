import Foundation
import TestSupport
import Testing

@testable import Trove

@Suite struct WordAnalyzerTests {
    private func words(_ text: String, _ options: FullTextOptions = .init()) -> [String] {
        AnalyzedText(text, options).words.map { String(decoding: $0.term, as: UTF8.self) }
    }

    @Test(arguments: [
        ("", []), ("   ", []), ("!?, -", []), ("Blue in Green", ["blue", "in", "green"]), ("rock'n'roll", ["rock'n'roll"]),
        ("don’t 'quoted' Bill's", ["don't", "quoted", "bill's"]), ("3.14 1,000 5. 6,", ["3.14", "1,000", "5", "6"]),
        ("MP3 x1 2nd", ["mp3", "x1", "2nd"]), ("a-b_c/d e.g. www.example.org", ["a", "b", "c", "d", "e", "g", "www", "example", "org"]),
        ("Straße ﬁn", ["strasse", "fin"]), ("Déjà vu, Ångström", ["deja", "vu", "angstrom"]), ("De\u{301}ja\u{300}", ["deja"]),
        ("Ørsted Łódź đak", ["orsted", "lodz", "dak"]), ("Ǥǥ Ɨɨ Ᵽᵽ", ["gg", "ii", "pp"]), ("Ёлка", ["елка"]), ("中文字", ["中", "文", "字"]), ("ひらカタカナ漢", ["ひ", "ら", "カタカナ", "漢"]),
        ("สวัส", ["ส", "วั", "ส"]), ("한국어 단어", ["한국어", "단어"]), ("co\u{AD}operate", ["cooperate"]), ("col·legi", ["col·legi"]),
        ("नमस्ते", ["नमस्ते"]), ("مُحَمَّد", ["محمد"]), ("Ⅷ", ["ⅷ"]), ("\u{301}x", ["x"]), ("😀 ok 👍🏽", ["ok"]), ("ǅ", ["ǆ"]),
    ] as [(String, [String])]) func wordsOfTexts(text: String, expected: [String]) {
        #expect(words(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(words(text))")
    }

    @Test func diacriticsKept() {
        let options = FullTextOptions(ignoresDiacritics: false)
        #expect(words("Café", options).map { Array($0.utf8) } == [Array("caf\u{E9}".utf8)])
        // Written with a mark of its own, as some systems name files; and Hangul as its letters.
        #expect(words("Cafe\u{301}", options).map { Array($0.utf8) } == [Array("caf\u{E9}".utf8)])
        #expect(words("\u{1112}\u{1161}\u{11AB}", options).map { Array($0.utf8) } == [Array("한".utf8)])
        #expect(words("か\u{3099}", options).map { Array($0.utf8) } == [Array("が".utf8)])
    }

    /// The Greek ano teleia, which normalization form C replaces by the middle dot.
    @Test func middleDotsAreOne() {
        #expect(words("col\u{387}legi").map { Array($0.utf8) } == [Array("col\u{B7}legi".utf8)])
    }

    @Test func shortWordsAreLeftOutAndCounted() {
        let analyzed = AnalyzedText("a tale of 日 two cities", FullTextOptions(minimumWordLength: 3))
        #expect(analyzed.words.map { String(decoding: $0.term, as: UTF8.self) } == ["tale", "日", "two", "cities"])
        #expect(analyzed.words.map(\.position) == [1, 3, 4, 5])
    }

    @Test func longWordsAreCutAtAScalar() {
        let word = String(repeating: "a", count: 119) + "日本"
        #expect(words(String(repeating: "é", count: 400), .init(ignoresDiacritics: false))[0] == String(repeating: "é", count: 60))
        #expect(words(String(repeating: "a", count: 100_000))[0].utf8.count == WordAnalyzer.maxWordSize)
        #expect(words(word)[0] == String(repeating: "a", count: 119))
    }

    /// Swift sorts the marks behind a letter in time that grows with the square of their number: here in minutes.
    @Test(.timeLimit(.minutes(2))) func wordsOfManyMarks() {
        let text = "a" + String(repeating: "\u{301}\u{316}", count: 250_000) + "x y"
        #expect(words(text) == ["ax", "y"])
        let kept = words(text, .init(ignoresDiacritics: false))
        #expect(kept.map { Array($0.utf8) } == [Array("\u{E1}".utf8) + Array(String(repeating: "\u{316}", count: 59).utf8), Array("y".utf8)])
    }

    /// Marks that are sorted before make the same normalization form.
    @Test(arguments: 0..<20 as Range<UInt64>) func marksInOrder(seed: UInt64) {
        let scalars: [Unicode.Scalar] = [
            "\u{301}", "\u{316}", "\u{345}", "\u{344}", "\u{308}", "\u{5B0}", "\u{3099}", "\u{34F}", "e", "\u{E9}", "\u{1D8}", "\u{1100}", "\u{1161}", "か",
        ]
        var random = SeededGenerator(seed: seed)
        var text = String.UnicodeScalarView()
        for _ in 0..<2_000 { text.append(scalars.randomElement(using: &random) ?? "e") }
        let form = String(text).precomposedStringWithCanonicalMapping
        #expect(Array(String(text).composed.utf8) == Array(form.utf8))
    }

    /// Vowel signs of Tibetan that are two marks in the canonical order.
    @Test func marksOfTwoMarks() {
        let composed = String(repeating: "\u{316}\u{F73}", count: 1_000).composed
        let expected = ["\u{F71}", "\u{F72}", "\u{316}"].map { String(repeating: $0, count: 1_000) }.joined()
        #expect(Array(composed.utf8) == Array(expected.utf8))
    }

    @Test func sourcesAreTheBytesOfTheWords() {
        let text = "«Déjà», don’t 3.14!"
        let sources = AnalyzedText(text, .init()).words.map { String(decoding: Array(text.utf8)[$0.source], as: UTF8.self) }
        #expect(sources == ["Déjà", "don’t", "3.14"])
    }

    @Test func damagedBytesSeparateWords() {
        var analyzer = WordAnalyzer(.init())
        var found: [String] = []
        let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xC3, 0x63, 0xE2, 0x82]
        bytes.withUnsafeBufferPointer { _ = analyzer.forEachWord(in: $0) { word, _, _ in found.append(String(decoding: word, as: UTF8.self)) } }
        #expect(found == ["a", "b", "c"])
    }

    @Test func englishStems() {
        let table = StemExpectations.english.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(table.count > 700)
        for place in stride(from: 0, to: table.count, by: 2) {
            let bytes = Array(table[place].utf8)
            let stem = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { word in
                _ = word.initialize(from: bytes)
                var stemmer = EnglishStemmer(word.baseAddress.unsafelyUnwrapped, count: bytes.count)
                let count = stemmer.stem()
                return String(decoding: word[..<count], as: UTF8.self)
            }
            #expect(stem == table[place + 1], "\(table[place])")
        }
    }
}
