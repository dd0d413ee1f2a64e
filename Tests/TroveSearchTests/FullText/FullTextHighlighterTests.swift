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
}
