/// A query whose words were made like those of the index.
indirect enum AnalyzedQuery: Sendable, Hashable {
    /// A word of a phrase.
    struct Element: Sendable, Hashable {
        /// The word, or what it begins with.
        let term: [UInt8]
        let isPrefix: Bool
        /// How many words after the first it stands.
        let offset: Int
    }

    /// The words one after the other, at least one, in the fields whose bits are set.
    case words([Element], fields: UInt64)
    case all([AnalyzedQuery])
    case any([AnalyzedQuery])
    case not(AnalyzedQuery)
    /// Finds no text.
    case nothing
}

extension AnalyzedQuery {
    /// The whole words in it.
    var terms: [[UInt8]] {
        switch self {
        case .words(let elements, _): elements.filter { !$0.isPrefix }.map(\.term)
        case .all(let parts), .any(let parts): parts.flatMap(\.terms)
        case .not(let part): part.terms
        case .nothing: []
        }
    }

    var isNot: Bool { if case .not = self { true } else { false } }

    /// How many words a search of an index may have: each is looked up, and its list of objects read beside the others.
    static let maxWords = 1_000

    /// How many different prefixes: for each a list of all its objects is in memory.
    static let maxPrefixes = 64

    /// Adds the different prefixes, each with the fields that it is sought in.
    private func notePrefixes(_ prefixes: inout Set<AnalyzedQuery>) {
        switch self {
        case .words(let elements, let fields):
            for element in elements where element.isPrefix { prefixes.insert(.words([Element(term: element.term, isPrefix: true, offset: 0)], fields: fields)) }
        case .all(let parts), .any(let parts): for part in parts { part.notePrefixes(&prefixes) }
        case .not(let part): part.notePrefixes(&prefixes)
        case .nothing: break
        }
    }

    private var wordCount: Int {
        switch self {
        case .words(let elements, _): elements.count
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.wordCount }
        case .not(let part): part.wordCount
        case .nothing: 0
        }
    }

    /// Analyses `query` for an index.
    ///
    /// - Parameter isOfIndex: whether the index is searched, for which phrases need positions and words are not too many; false for highlights alone.
    /// - Throws: ``TroveError/unsupportedFullTextQuery(index:reason:)`` for fields the index does not have, for phrases when it
    ///   keeps no positions, for too many words or prefixes, and for a query nested too deep.
    init(_ query: FullTextQuery, _ index: FullTextIndex, isOfIndex: Bool = true) throws {
        // That it is sought in one field alone is no level of the query's own.
        let own = if case .field(_, let part) = query { part.value } else { query }
        guard own.isWithinMaxDepth() else {
            throw TroveError.unsupportedFullTextQuery(
                index: index.inverted.title, reason: "the query is nested deeper than \(FullTextQuery.maxDepth) levels; use fewer levels")
        }
        let all = UInt64.max >> UInt64(64 - index.fields.count)
        self = try Self.analyzed(query, index, all, isOfIndex) ?? .nothing
        guard !isOfIndex || wordCount <= Self.maxWords else {
            throw TroveError.unsupportedFullTextQuery(
                index: index.inverted.title, reason: "the query has \(wordCount) words, and may have \(Self.maxWords); look for those that tell most, or ask several times")
        }
        guard isOfIndex else { return }
        var prefixes: Set<AnalyzedQuery> = []
        notePrefixes(&prefixes)
        guard prefixes.count <= Self.maxPrefixes else {
            throw TroveError.unsupportedFullTextQuery(
                index: index.inverted.title,
                reason: "the query has \(prefixes.count) different words with a star, and may have \(Self.maxPrefixes); "
                    + "look for those that tell most, or ask several times")
        }
    }

    /// The query without the parts of which analysis leaves nothing; nil when that is all of it.
    private static func analyzed(_ query: FullTextQuery, _ index: FullTextIndex, _ fields: UInt64, _ isOfIndex: Bool) throws -> AnalyzedQuery? {
        switch query {
        case .word(let text):
            return words(elements(text, index.options), index, fields)
        case .prefix(let text):
            return words(prefixElements(text, index.options), index, fields)
        case .phrase(let text):
            let elements = elements(text, index.options)
            if isOfIndex, elements.count > 1, fields != 0, !index.options.keepsPositions {
                throw TroveError.unsupportedFullTextQuery(
                    index: index.inverted.title, reason: "it keeps no positions, which phrases need; declare it with keepsPositions: true")
            }
            return phrase(elements, fields)
        case .all(let parts):
            let analyzed = try parts.compactMap { try Self.analyzed($0, index, fields, isOfIndex) }
            return parts.isEmpty ? .not(.nothing) : analyzed.isEmpty ? nil : .all(analyzed)
        case .any(let parts):
            let analyzed = try parts.compactMap { try Self.analyzed($0, index, fields, isOfIndex) }
            return parts.isEmpty ? .nothing : analyzed.isEmpty ? nil : .any(analyzed)
        case .not(let part):
            return try Self.analyzed(part.value, index, fields, isOfIndex).map { .not($0) }
        case .field(let name, let part):
            guard let position = index.fields.position(of: name) else {
                let names = index.fields.fields.map { "'\($0.name)'" }.joined(separator: ", ")
                throw TroveError.unsupportedFullTextQuery(
                    index: index.inverted.title, reason: "it has no field named '\(name)'; it has \(names)")
            }
            return try Self.analyzed(part.value, index, fields & 1 << UInt64(position), isOfIndex)
        }
    }

    /// What is written as one word: a phrase where it splits, all its words where the index keeps no positions.
    private static func words(_ elements: [Element], _ index: FullTextIndex, _ fields: UInt64) -> AnalyzedQuery? {
        if elements.count < 2 || fields == 0 || index.options.keepsPositions { return phrase(elements, fields) }
        return .all(elements.map { .words([Element(term: $0.term, isPrefix: $0.isPrefix, offset: 0)], fields: fields) })
    }

    /// Words that stand one after the other.
    private static func phrase(_ elements: [Element], _ fields: UInt64) -> AnalyzedQuery? {
        guard let first = elements.first else { return nil }
        if fields == 0 { return .nothing }
        return .words(elements.map { Element(term: $0.term, isPrefix: $0.isPrefix, offset: $0.offset - first.offset) }, fields: fields)
    }

    private static func elements(_ text: String, _ options: FullTextOptions, stems: Bool = true) -> [Element] {
        var analyzer = WordAnalyzer(options)
        var elements: [Element] = []
        var text = text
        text.withUTF8 { text in
            _ = analyzer.forEachWord(in: text, stems: stems) { word, position, _ in
                elements.append(Element(term: [UInt8](word), isPrefix: false, offset: position))
            }
        }
        return elements
    }

    /// The last word is neither stemmed nor too short.
    private static func prefixElements(_ text: String, _ options: FullTextOptions) -> [Element] {
        var whole = options
        whole.minimumWordLength = 1
        guard let last = elements(text, whole, stems: false).last else { return [] }
        let others = elements(text, options).filter { $0.offset < last.offset }
        return others + [Element(term: last.term, isPrefix: true, offset: last.offset)]
    }
}
