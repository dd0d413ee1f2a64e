/// An object that a ranked full-text search found.
struct FullTextMatch: Sendable, Hashable {
    /// The engine's key of the object's record.
    let recordKey: [UInt8]
    /// How well it fits: BM25, above 0; higher is better, and only comparable within one search.
    let score: Double
}

/// Decides whether a query finds an object by its texts alone, as a search of the index does.
struct FullTextMatcher {
    private let query: AnalyzedQuery
    private let options: FullTextOptions

    /// - Throws: ``TroveError/unsupportedFullTextQuery(index:reason:)``.
    init(_ query: FullTextQuery, _ index: FullTextIndex) throws {
        self.query = try AnalyzedQuery(query, index)
        options = index.options
    }

    /// Whether the query finds an object with these texts, one a field.
    func matches(_ texts: [String?]) -> Bool {
        Self.matches(query, texts.map { $0.map { AnalyzedText($0, options) } })
    }

    private static func matches(_ query: AnalyzedQuery, _ texts: [AnalyzedText?]) -> Bool {
        switch query {
        case .words(let elements, let fields):
            texts.enumerated().contains { field, text in
                guard fields & 1 << UInt64(field) != 0, let text else { return false }
                return !text.matches(of: elements).isEmpty
            }
        case .all(let parts): parts.allSatisfy { matches($0, texts) }
        case .any(let parts): parts.contains { matches($0, texts) }
        case .not(let part): !matches(part, texts)
        case .nothing: false
        }
    }
}
