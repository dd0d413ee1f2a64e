extension IndexBinding {
    /// What keeps the index in one write transaction.
    ///
    /// - Parameter lastKey: the engine's key of the last record that a build has come to; nil for a whole index.
    func maintainer(upTo lastKey: [UInt8]?, _ writer: any StorageWriter) throws -> any IndexMaintainer {
        switch schema.kind {
        case .ordered: OrderedIndexWriter(self, upTo: lastKey, writer)
        case .fullText, .substring:
            throw TroveError.invalidIndex(
                model: modelName, index: schema.name, reason: "this version of Trove keeps indexes of values, not of words")
        }
    }
}
