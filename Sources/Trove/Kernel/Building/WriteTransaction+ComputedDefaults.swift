/// Records of older layouts that lack a property with a computed default, such as `UUID()`. Each read gives them another value, so an index has their values
/// only once they are stored.
extension WriteTransaction {
    /// The most records that are looked at in one batch, whose objects are in memory meanwhile.
    private static let maxBatchSize = 10_000

    /// Stores such records among the next ones with the values that they have from now on, as far as the properties are in
    /// these indexes; nil when there can be none.
    ///
    /// - Returns: how many records were looked at, unless there are fewer, and whether any was stored.
    func storeComputedDefaults(of model: ModelBinding, for indexes: [IndexBinding], after start: [UInt8]?, upTo limit: Int) throws -> (size: Int, isAny: Bool)?
    {
        let places = model.computedDefaults(in: indexes)
        if places.isEmpty { return nil }
        // Where another program keeps this one from storing objects, records are read as before.
        guard let type = core.model(named: model.schema.name), try indexTable.maySave(model.schema.name) else { return nil }
        let layouts = try Catalogue.entries(reader).filter {
            $0.layout.modelName == model.schema.name && !$0.isRetired && $0.layout.number != model.layout.number
                && model.lacks(places, in: $0.layout)
        }
        if layouts.isEmpty { return nil }
        let size = min(limit, Self.maxBatchSize)
        let batch = try upgradeBatch(type, of: Set(layouts.map(\.layout.number)), lacking: places, after: start, size: size)
        return (batch.last == nil ? size : batch.seen, batch.rewritten > 0)
    }
}

extension ModelBinding {
    /// The places in the schema of the properties with a computed default that some indexes have.
    fileprivate func computedDefaults(in indexes: [IndexBinding]) -> [Int] {
        schema.fields.indices.filter { place in
            let field = schema.fields[place]
            return field.computesDefault && indexes.contains { $0.fields.sources?.contains { $0.name == field.name } ?? true }
        }
    }

    /// Whether what a record of an older layout has is not all that each reading of it shows: it lacks a property with a computed default.
    ///
    /// - Throws: what ``plan(for:)`` throws.
    func computesDefaults(of stored: RecordLayout) throws -> Bool {
        // Asked for each line of an import and each saved record.
        guard stored.number != layout.number, stored.documentPosition == nil, schema.fields.contains(where: \.computesDefault) else { return false }
        return try zip(schema.fields, plan(for: stored).sources).contains { $0.computesDefault && $1 == .missing }
    }
}
