import TestSupport
import Testing

@testable import Trove

@Suite struct FullTextHighlighterTests {
    @Test(arguments: [
        ("leaves", "Autumn Leaves", "Autumn [Leaves]"), ("autumn lea*", "Autumn Leaves", "[Autumn] [Leaves]"),
        ("\"autumn leaves\"", "leaves: autumn leaves, autumn", "leaves: [autumn leaves], autumn"), ("a NOT b", "a b a", "[a] b [a]"),
        ("cafe", "«Café» & CAFÉ", "«[Café]» & [CAFÉ]"), ("\"a b\" \"b c\"", "a b c d", "[a b c] d"), ("x", "a b", "a b"), ("x", "", ""),
        ("title:a", "a", "[a]"), ("notes:a", "a", "a"), ("well-known", "a well known, well", "a [well known], well"), ("中文", "学中文字", "学[中文]字"),
    ]) func marks(query: String, text: String, expected: String) throws {
        let highlighter = try FullTextHighlighter(query, fields: FullTextFields("title", "notes"))
        #expect(highlighter.highlighted(text, field: "title", before: "[", after: "]") == expected)
        let found = highlighter.ranges(in: text).map { String(text[$0]) }
        var marked: [String] = []
        for part in expected.split(separator: "[").dropFirst(expected.hasPrefix("[") ? 0 : 1) {
            marked += part.split(separator: "]", omittingEmptySubsequences: false).prefix(1).map(String.init)
        }
        #expect(found == marked)
    }

    /// An index without positions finds the words of one that splits wherever they stand, so they are marked there; a phrase is marked where it stands.
    @Test(arguments: [
        ("well-known", "known well", "[known] [well]"), ("well-kn*", "known, well", "[known], [well]"), ("\"well known\"", "known well known", "known [well known]"),
        ("known NOT x-well", "well known", "well [known]"), ("title:well-known", "well, known", "[well], [known]"), ("notes:well-known", "well known", "well known"),
    ]) func marksWithoutPositions(query: String, text: String, expected: String) throws {
        let highlighter = try FullTextHighlighter(query, fields: FullTextFields("title", "notes"), options: .init(keepsPositions: false))
        #expect(highlighter.highlighted(text, field: "title", before: "[", after: "]") == expected)
    }

    @Test func stems() throws {
        let highlighter = try FullTextHighlighter("connect", fields: FullTextFields("title"), options: .init(stemming: .english))
        #expect(highlighter.highlighted("Connections and connectors", before: "<", after: ">") == "<Connections> and connectors")
    }

    @Test func snippets() throws {
        let text = "one two three four five six blue seven eight nine green ten blue, eleven twelve thirteen"
        let highlighter = try FullTextHighlighter("blue green", fields: FullTextFields("text"))
        func snippet(_ words: Int) -> String { highlighter.snippet(of: text, words: words, before: "[", after: "]") }
        #expect(snippet(3) == "…[green] ten [blue]…")
        #expect(snippet(5) == "…nine [green] ten [blue], eleven…")
        #expect(snippet(100) == highlighter.highlighted(text, before: "[", after: "]"))
        #expect(snippet(0) == "…[blue]…")
        let other = try FullTextHighlighter("none", fields: FullTextFields("text"))
        #expect(other.snippet(of: text, words: 2, before: "[", after: "]") == "one two…")
        #expect(other.snippet(of: "", before: "[", after: "]") == "")
        #expect(other.snippet(of: "!!", before: "[", after: "]") == "!!")
    }

    /// A look at all hits for each hit would not come to an end here.
    @Test func aSnippetOfALongText() throws {
        let highlighter = try FullTextHighlighter("a b", fields: FullTextFields("text"))
        let text = Array(repeating: "a b", count: 40_000).joined(separator: " ")
        #expect(highlighter.snippet(of: text, before: "[", after: "]") == Array(repeating: "[a] [b]", count: 8).joined(separator: " ") + "…")
    }

    /// Many phrases are looked up among the words, and are found where a look at every word finds them.
    @Test func manyPhrasesOfOneText() throws {
        var random = RandomTexts(seed: 17)
        let index = try FullTextIndex(name: "texts", fields: FullTextFields("text"), options: .init())
        for _ in 0..<20 {
            let text = AnalyzedText((0..<6).compactMap { _ in random.text() }.joined(separator: " "), .init())
            var phrases: [[AnalyzedQuery.Element]] = []
            while phrases.count < 12 {
                if case .words(let elements, _) = try AnalyzedQuery(random.query(index.fields, depth: 0), index) { phrases.append(elements) }
            }
            #expect(text.matches(ofEach: phrases) == phrases.map { text.matches(of: $0) })
        }
    }

    @Test func aSnippetOfALongPhrase() throws {
        let phrase = (0..<20).map { "p\($0)" }
        let text = (0..<40).map { "x\($0)" } + phrase + ["y", "z"]
        let highlighter = try FullTextHighlighter(.any([.phrase(phrase.joined(separator: " ")), .word("none")]), fields: FullTextFields("text"))
        func snippet(_ words: Int) -> String { highlighter.snippet(of: text.joined(separator: " "), words: words, before: "[", after: "]") }
        #expect(snippet(16) == "…[\(phrase[..<16].joined(separator: " "))]…")
        #expect(snippet(1) == "…[p0]…")
        #expect(snippet(20) == "…[\(phrase.joined(separator: " "))]…")
        #expect(snippet(22) == "…x39 [\(phrase.joined(separator: " "))] y…")
    }

    /// The best part is that of a plain search among all.
    @Test func snippetsOfRandomTexts() throws {
        var random = SeededGenerator(seed: 5)
        let highlighter = try FullTextHighlighter("a b \"c d e\"", fields: FullTextFields("text"))
        for _ in 0..<300 {
            let words = (0..<Int.random(in: 1...40, using: &random)).map { _ in ["a", "b", "c", "d", "e", "x", "y"].randomElement(using: &random) ?? "x" }
            let size = Int.random(in: 3...8, using: &random)
            let snippet = highlighter.snippet(of: words.joined(separator: " "), words: size, before: "", after: "", ellipsis: "")
            func parts(_ words: ArraySlice<String>) -> Int {
                [["a"], ["b"], ["c", "d", "e"]].count { part in
                    words.indices.contains { $0 + part.count <= words.endIndex && Array(words[$0..<$0 + part.count]) == part }
                }
            }
            let length = min(size, words.count)
            let best = (0...words.count - length).map { parts(words[$0..<$0 + length]) }.max()
            let found = snippet.split(separator: " ").map(String.init)
            #expect(found.count == length && parts(found[...]) == best, "\(words) \(size)")
        }
    }
}
