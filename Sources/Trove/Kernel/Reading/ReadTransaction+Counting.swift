extension ReadTransaction {
    /// The number of objects of each model, by the models' names: those that the program has and those that other programs have stored.
    ///
    /// - Complexity: O(1) for a model where ``StorageCapabilities/countsInConstantTime`` is true, or where the model has an index of values
    ///   that are not collections; otherwise O(*n*) over the model's keys.
    public func counts() throws -> [String: Int] {
        let reader = try reader
        var counts: [String: Int] = [:]
        for model in core.modelBindings where !Catalogue.isReserved(model.schema.name) { counts[model.schema.name] = 0 }
        for name in try modelNames() {
            if let keyspace = try reader.keyspace(named: name) { counts[name] = try recordCount(of: name, in: keyspace) }
        }
        return counts
    }

    /// The number of records of a model.
    ///
    /// An engine that would count them one by one is not asked where an index has an entry for each of them: every index keeps its number of entries.
    func recordCount(of modelName: String, in keyspace: Keyspace) throws -> Int {
        if !core.capabilities.countsInConstantTime, let index = try indexTable.usable(of: modelName).first(where: \.hasOneEntryForEachObject) {
            return try entryCount(of: index)
        }
        return try reader.count(in: keyspace)
    }
}
