/// An index of a store, for people: what it is, how far it is, and what it holds.
public struct IndexStatistics: Sendable, Hashable {
    /// The name of the model.
    public let model: String
    /// The index as it is declared.
    public let schema: IndexSchema
    /// Whether it is ready, or how far it is.
    public let state: IndexState
    /// The number of entries: one for each object, or for each member of a collection; of an index of words or parts of texts, the number of
    /// its objects.
    public let entries: Int
    /// About how many different combinations of values there are; nil while the index is not ready, and of a model that the program does not name.
    public let distinctValues: Int?
}

extension IndexStatistics: CustomStringConvertible {
    /// The index in a line: `Song: the index 'artist', ready, 1000 entries, about 40 different values`.
    public var description: String {
        let progress =
            switch state {
            case .building(after: nil): "not begun"
            case .building: "building"
            case .ready: "ready"
            case .dropping: "being removed"
            }
        let (one, several) = schema.kind.isOrdered ? ("entry", "entries") : ("object", "objects")
        let values = distinctValues.map { ", about \($0) different \($0 == 1 ? "value" : "values")" } ?? ""
        return "\(model): the index '\(schema.name)', \(progress), \(entries) \(entries == 1 ? one : several)\(values)"
    }
}

extension ObjectStore {
    /// The indexes of the store, those of models that the program does not name included.
    public func indexStatistics() throws -> [IndexStatistics] {
        try read { try $0.indexStatistics() }
    }

    /// The indexes of the store, those of models that the program does not name included.
    public func indexStatistics() async throws -> [IndexStatistics] {
        try await read { try $0.indexStatistics() }
    }
}

extension ReadTransaction {
    /// The indexes of the store as this transaction sees them.
    public func indexStatistics() throws -> [IndexStatistics] {
        try flushIndexes()
        let table = try indexTable
        return try table.entries.map { entry in
            let binding = table.bindings(of: entry.typeName).first { $0.number == entry.number }
            let isKnown = entry.state == .ready && entry.schema.kind.isOrdered
            return IndexStatistics(
                model: entry.typeName, schema: entry.schema, state: entry.state, entries: try entryCount(of: entry),
                distinctValues: try isKnown ? binding.map { try estimatedDistinctCount(of: $0) } : nil)
        }
    }

    private func entryCount(of entry: IndexCatalogueEntry) throws -> Int {
        guard let inverted = try entry.schema.invertedIndex(named: IndexCatalogueEntry.keyspaceName(entry.number), of: entry.typeName) else {
            do {
                return try IndexSample.count(of: entry.number, reader)
            } catch TroveError.corruptValue(let reason) {
                throw TroveError.corruptIndex(model: entry.typeName, index: entry.schema.name, reason: reason)
            }
        }
        // What is left of one that is being removed may not fit together.
        guard entry.state != .dropping, let documents = try reader.keyspace(named: inverted.documentsName) else { return 0 }
        return try IndexTotals.load(inverted, reader, documents).documentCount
    }
}
