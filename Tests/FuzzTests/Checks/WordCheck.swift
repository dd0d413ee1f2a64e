@testable import Trove

/// Texts of full-text queries, and the words of texts.
enum WordCheck {
    private static let fields = FullTextFields("title", "notes")

    static func run(_ input: inout FuzzInput) throws {
        let options = FullTextOptions(
            stemming: input.byte() & 1 == 1 ? .english : nil, ignoresDiacritics: input.byte() & 1 == 1, minimumWordLength: input.choice(4))
        let text = input.text()
        for terms in [InvertedIndex.Terms.words(options), .trigrams(ignoring: .case), .trigrams(ignoring: [.case, .diacritics])] {
            var extractor = TermExtractor(terms)
            var copy = text
            _ = try copy.withUTF8 { utf8 in
                try extractor.forEachTerm(in: utf8) { term, _ in try require(!term.isEmpty && !term.contains(0), "a term that is none in \(text)") }
            }
        }
        for folding in [.case, .diacritics, [.case, .diacritics]] as [TextFolding] {
            let folded = folding.folded(text)
            try require(folding.folded(folded).hasBytes(of: folded), "folding \(folded) again gives another text")
        }
        guard let query = try valueOrTypedError("a query", { try FullTextQuery(text) }) else { return }
        let written = query.description
        let again = try mustSucceed("reading what a query is written as, \(written)") { try FullTextQuery(written) }
        try require(again.description == written, "\(written) is written again as \(again.description)")
        let index = try FullTextIndex(name: "7", fields: fields, options: options)
        let analysed = try valueOrTypedError("analysis") { try AnalyzedQuery(query, index) }
        if let analysed { try require(try AnalyzedQuery(again, index) == analysed, "\(written) finds something else") }
    }
}
