extension IndexBinding {
    /// What keeps the index in one write transaction.
    ///
    /// - Parameter lastKey: the engine's key of the last record that a build has come to; nil for a whole index.
    func maintainer(upTo lastKey: [UInt8]?, _ writer: any StorageWriter) throws -> any IndexMaintainer {
        switch schema.kind {
        case .ordered: return OrderedIndexWriter(self, upTo: lastKey, writer)
        case .fullText, .substring:
            guard let inverted = try invertedIndex() else { throw corrupt("it is of no kind that is known") }
            return WordIndexMaintainer(self, inverted, upTo: lastKey, writer)
        }
    }
}
