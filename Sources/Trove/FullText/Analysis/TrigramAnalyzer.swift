/// Makes trigrams of text: every three scalars in a row of its folding.
struct TrigramAnalyzer {
    let folding: TextFolding
    /// The folded text; kept for its memory.
    private var folded: [UInt8] = []

    init(_ folding: TextFolding) { self.folding = folding }

    /// Calls `body` with the UTF-8 bytes of each trigram, and 0; returns how many there were.
    @inline(__always)
    mutating func forEachTrigram(
        in text: UnsafeBufferPointer<UInt8>, _ body: (_ term: UnsafeBufferPointer<UInt8>, _ position: Int) throws -> Void
    ) rethrows -> Int {
        folded.removeAll(keepingCapacity: true)
        folding.append(text, to: &folded)
        // Terms hold no zero byte. What is mistaken for something else by this, the caller's own check finds out.
        for index in folded.indices where folded[index] == 0 { folded[index] = 1 }
        return try folded.withUnsafeBufferPointer { folded in
            var (first, second, index, scalars) = (0, 0, 0, 0)
            while index < folded.count {
                let end = index + UTF8Scalar(folded, at: index).length
                scalars += 1
                if scalars >= 3 { try body(UnsafeBufferPointer(rebasing: folded[first..<end]), 0) }
                (first, second, index) = (second, index, end)
            }
            return max(0, scalars - 2)
        }
    }
}

/// Makes the terms of an index of texts.
struct TermExtractor: ~Copyable {
    private let terms: InvertedIndex.Terms
    private var words: WordAnalyzer
    private var trigrams: TrigramAnalyzer

    init(_ terms: InvertedIndex.Terms) {
        self.terms = terms
        switch terms {
        case .words(let options):
            words = WordAnalyzer(options)
            trigrams = TrigramAnalyzer(.case)
        case .trigrams(let folding):
            words = WordAnalyzer(FullTextOptions())
            trigrams = TrigramAnalyzer(folding)
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
