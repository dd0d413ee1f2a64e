/// What all parts of one search share.
final class SearchContext {
    let index: InvertedIndex
    let reader: any StorageReader
    /// nil when the index has no documents yet.
    let keyspaces: (postings: Keyspace, documents: Keyspace)?
    let totals: IndexTotals
    /// How much an occurrence in each field counts.
    let weights: [Double]
    /// Whether documents are scored.
    let ranks: Bool

    init(_ index: InvertedIndex, _ reader: any StorageReader, weights: [Double], ranks: Bool) throws {
        self.index = index
        self.reader = reader
        self.weights = weights
        self.ranks = ranks
        let postings = try reader.keyspace(named: index.postingsName)
        let documents = try reader.keyspace(named: index.documentsName)
        switch (postings, documents) {
        case (let postings?, let documents?):
            keyspaces = (postings, documents)
            totals = try IndexTotals.load(index, reader, documents)
        case (nil, nil):
            keyspaces = nil
            totals = IndexTotals()
        default:
            throw index.corrupt("one of its keyspaces is missing; rebuild the index")
        }
    }

    /// Every field of the index.
    var allFields: UInt64 { UInt64.max >> UInt64(64 - index.fieldCount) }

    /// The documents that hold a term in one of `fields`.
    func documents(of element: AnalyzedQuery.Element, _ fields: UInt64, withOccurrences: Bool = false) throws -> DocumentIterator {
        guard let keyspaces else { return EmptyIterator() }
        if element.isPrefix {
            return try PrefixIterator(self, keyspaces.postings, element.term, fields, withOccurrences: withOccurrences)
        }
        return try TermIterator(self, keyspaces.postings, element.term, fields)
    }
}
