extension ReadTransaction {
    /// The number of objects of each model, by the models' names: those that the program has and those that other programs have stored.
    public func counts() throws -> [String: Int] {
        let reader = try reader
        var counts: [String: Int] = [:]
        for model in core.modelBindings where !Catalogue.isReserved(model.schema.name) { counts[model.schema.name] = 0 }
        for name in try modelNames() {
            if let keyspace = try reader.keyspace(named: name) { counts[name] = try reader.count(in: keyspace) }
        }
        return counts
    }
}
