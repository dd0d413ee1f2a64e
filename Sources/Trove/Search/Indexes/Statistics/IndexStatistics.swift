/// An index of a store, for people: what it is, how far it is, and what it holds.
public struct IndexStatistics: Sendable, Hashable {
    /// The name of the model.
    public let model: String
    public let schema: IndexSchema
    public let state: IndexState
    /// The number of entries: one for each object, or for each member of a collection.
    public let entries: Int
    /// About how many different combinations of values there are; nil while the index is not ready, and of a model that the program does not name.
    public let distinctValues: Int?
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
                model: entry.typeName, schema: entry.schema, state: entry.state,
                entries: try IndexSample.count(of: entry.number, reader),
                distinctValues: try isKnown ? binding.map { try estimatedDistinctCount(of: $0) } : nil)
        }
    }
}
