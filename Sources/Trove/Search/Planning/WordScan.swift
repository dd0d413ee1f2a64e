/// What is sought in an index of words or trigrams.
struct WordScan: Sendable {
    enum Target: Sendable {
        /// What a full-text query finds.
        case words(FullTextQuery)
        /// What may contain a text; the records have to be checked.
        case part(String)
    }

    let index: IndexBinding
    let target: Target

    /// Calls `body` with the record key of each object found, in any order.
    func forEachKey(_ reader: any StorageReader, _ body: (RawSpan) throws -> ScanStep) throws {
        switch target {
        case .words(let query):
            guard let words = try index.fullTextIndex() else { return }
            try FullTextSearch(index: words, reader: reader).forEachMatch(query, body)
        case .part(let text):
            guard let parts = index.substringIndex else { return }
            // The planner asks only for texts that the index can find.
            _ = try parts.forEachCandidate(containing: text, in: reader, body)
        }
    }

    /// At most how many objects are found.
    func estimate(_ reader: any StorageReader) throws -> Int {
        switch target {
        case .words(let query): try index.fullTextIndex().map { try FullTextSearch(index: $0, reader: reader).estimate(query) } ?? 0
        case .part(let text): try index.substringIndex?.estimate(containing: text, in: reader) ?? 0
        }
    }
}

extension WordScan: CustomStringConvertible {
    var description: String {
        switch target {
        case .words(let query): "words '\(query)'"
        case .part(let text): "texts with '\(text)' in them"
        }
    }
}
