extension ReadTransaction {
    /// The indexes of a model that this snapshot's queries may use: ready, and known to the program.
    func usableIndexes(of model: ModelBinding) throws -> [IndexBinding] {
        let table = try indexTable
        return table.bindings(of: model.schema.name).filter { table.state(of: $0.number) == .ready }
    }

    /// The keyspace of an index's entries; nil when it has none yet.
    func indexKeyspace(_ index: IndexBinding) throws -> Keyspace? {
        try reader.keyspace(named: index.keyspaceName)
    }
}
