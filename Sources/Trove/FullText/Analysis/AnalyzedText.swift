/// A text as the words of an index, with the places they come from.
struct AnalyzedText {
    struct Word {
        let term: [UInt8]
        let position: Int
        /// The bytes of the text's UTF-8 it was made of.
        let source: Range<Int>
    }

    let words: [Word]

    init(_ text: String, _ options: FullTextOptions, stems: Bool = true) {
        var words: [Word] = []
        var analyzer = WordAnalyzer(options)
        var text = text
        text.withUTF8 { text in
            _ = analyzer.forEachWord(in: text, stems: stems) { words.append(Word(term: [UInt8]($0), position: $1, source: $2)) }
        }
        self.words = words
    }

    /// The first and the last word of each place where the words of a phrase stand one after the other.
    func matches(of elements: [AnalyzedQuery.Element]) -> [ClosedRange<Int>] {
        words.indices.compactMap { match(of: elements, from: $0) }
    }

    /// The same for each of several phrases. Many are looked up, in place of a look at every word for each.
    func matches(ofEach phrases: [[AnalyzedQuery.Element]]) -> [[ClosedRange<Int>]] {
        if phrases.count < 8 { return phrases.map { matches(of: $0) } }
        let sorted = words.indices.sorted { words[$0].term.lexicographicallyPrecedes(words[$1].term) }
        return phrases.map { elements in
            guard let first = elements.first else { return [] }
            var (low, high) = (0, sorted.count)
            while low < high {
                let middle = (low + high) >> 1
                if words[sorted[middle]].term.lexicographicallyPrecedes(first.term) { low = middle + 1 } else { high = middle }
            }
            return sorted[low...].prefix { fits(words[$0].term, first) }.sorted().compactMap { match(of: elements, from: $0) }
        }
    }

    private func match(of elements: [AnalyzedQuery.Element], from start: Int) -> ClosedRange<Int>? {
        var end = start
        for element in elements {
            let wanted = words[start].position + element.offset
            while end < words.count, words[end].position < wanted { end += 1 }
            guard end < words.count, words[end].position == wanted, fits(words[end].term, element) else { return nil }
        }
        return start...end
    }

    private func fits(_ term: [UInt8], _ element: AnalyzedQuery.Element) -> Bool {
        element.isPrefix ? term.starts(with: element.term) : term == element.term
    }
}
