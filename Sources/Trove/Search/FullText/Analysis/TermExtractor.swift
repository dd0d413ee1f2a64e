/// Makes the terms of an index of texts.
struct TermExtractor: ~Copyable {
    private let terms: InvertedIndex.Terms
    private var words: WordAnalyzer
    private var trigrams = TrigramAnalyzer()

    init(_ terms: InvertedIndex.Terms) {
        self.terms = terms
        switch terms {
        case .words(let options): words = WordAnalyzer(options)
        case .trigrams: words = WordAnalyzer(FullTextOptions())
        }
    }

    /// Calls `body` with each term and its number in the text; returns how many there were.
    @inline(__always)
    mutating func forEachTerm(
        in text: UnsafeBufferPointer<UInt8>, _ body: (_ term: UnsafeBufferPointer<UInt8>, _ position: Int) throws -> Void
    ) rethrows -> Int {
        switch terms {
        case .words: try words.forEachWord(in: text) { word, position, _ in try body(word, position) }
        case .trigrams: try trigrams.forEachTrigram(in: text, body)
        }
    }
}
