/// An index by trigrams of one text, which finds where a text may be contained without looking at all objects.
///
/// It holds the case folding of texts, or that without accents, and serves comparisons that ignore as much or less: it tells candidates, of
/// which the caller keeps those that pass its own test.
struct SubstringIndex: Sendable, Hashable {
    /// How many trigrams of a searched text are looked up at most: the rarest, which the others hardly narrow down.
    private static let maxTrigrams = 8
    /// Among how many of a text's trigrams the rarest are sought. Whoever contains the text has any of them.
    private static let maxCompared = 256

    private let folding: TextFolding
    var inverted: InvertedIndex

    /// An index whose keyspaces begin with `name`, of `fieldCount` texts an object.
    init(name: String, model: String = "", title: String? = nil, ignoresDiacritics: Bool = false, fieldCount: Int = 1) {
        folding = Self.folding(ignoresDiacritics: ignoresDiacritics)
        inverted = InvertedIndex(name: name, model: model, title: title ?? name, terms: .trigrams(ignoring: folding), fieldCount: fieldCount)
    }

    /// What the texts of such an index are without.
    static func folding(ignoresDiacritics: Bool) -> TextFolding { ignoresDiacritics ? [.case, .diacritics] : .case }

    /// Whether an index of such texts narrows down what contains `text`: its folding has at least three scalars.
    static func canFind(_ text: String, by folding: TextFolding = .case) -> Bool { folding.folded(text).unicodeScalars.prefix(3).count == 3 }

    /// At most how many objects contain `text`, from the lengths of lists alone; nil when the index cannot tell.
    func estimate(containing text: String, in reader: any StorageReader, _ watch: ReadWatch = ReadWatch()) throws -> Int? {
        let trigrams = trigrams(of: text)
        if trigrams.isEmpty { return nil }
        let context = try context(trigrams, reader, watch)
        guard let bounds = SearchBounds(context) else { return 0 }
        return try bounds.least(trigrams) { try bounds.count(of: $0) }
    }

    /// Calls `body` with the record key of each object that may contain `text`, which may begin or end with it, until it returns
    /// ``ScanStep/stop``. Whoever contains it is among them.
    ///
    /// Returns false, and calls nothing, when the text is too short for the index: then any object may contain it.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)``.
    func forEachCandidate(
        containing text: String, in reader: any StorageReader, _ watch: ReadWatch = ReadWatch(), _ body: (RawSpan) throws -> ScanStep
    ) throws -> Bool {
        let trigrams = trigrams(of: text)
        if trigrams.isEmpty { return false }
        let context = try context(trigrams, reader, watch)
        let documents = try iterator(trigrams, context)
        _ = try context.forEachRecordKey(documents, watch, body)
        return true
    }

    /// A context for the trigrams of a text, of which all are looked at to find the rarest: where each look would be waited for, in one go.
    private func context(_ trigrams: [[UInt8]], _ reader: any StorageReader, _ watch: ReadWatch) throws -> SearchContext {
        try SearchContext(inverted, reader, weights: [], ranks: false, terms: reader.prefetches ? trigrams : [], watch: watch)
    }

    /// The objects with the rarest trigrams of a text.
    private func iterator(_ trigrams: [[UInt8]], _ context: SearchContext) throws -> DocumentIterator {
        guard let keyspaces = context.keyspaces, let bounds = SearchBounds(context) else { return EmptyIterator() }
        var sought = trigrams[...]
        if trigrams.count > Self.maxTrigrams {
            var counted: [(count: Int, trigram: [UInt8])] = []
            for trigram in trigrams {
                let count = try bounds.count(of: trigram)
                if count == 0 { return EmptyIterator() }
                counted.append((count, trigram))
            }
            sought = counted.sorted { $0.count < $1.count }.map(\.trigram).prefix(Self.maxTrigrams)
        }
        var terms: [TermIterator] = []
        for trigram in sought {
            let term = try TermIterator(context, keyspaces.postings, trigram, context.allFields)
            if term.total == 0 { return EmptyIterator() }
            terms.append(term)
        }
        return try ConjunctionIterator(terms)
    }

    /// The first different trigrams of a text, in its order.
    private func trigrams(of text: String) -> [[UInt8]] {
        var analyzer = TrigramAnalyzer(folding)
        var (trigrams, known): ([[UInt8]], Set<[UInt8]>) = ([], [])
        var text = text
        text.withUTF8 { text in
            _ = analyzer.forEachTrigram(in: text) { trigram, _ in
                if trigrams.count == Self.maxCompared { return }
                let trigram = [UInt8](trigram)
                if known.insert(trigram).inserted { trigrams.append(trigram) }
            }
        }
        return trigrams
    }
}
