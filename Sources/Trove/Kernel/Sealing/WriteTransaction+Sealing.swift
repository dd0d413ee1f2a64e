extension WriteTransaction {
    /// - Throws: ``TroveError/fieldKeysMissing(model:property:)`` when records of a layout have encrypted fields, which the program has no keys to seal.
    func checkCanSeal(_ entry: LayoutEntry) throws {
        guard core.sealing == nil, let position = entry.attributes.firstIndex(where: { $0.options.contains(.encrypted) }) else { return }
        throw TroveError.fieldKeysMissing(model: entry.layout.modelName, property: entry.layout.fields[position].name)
    }
}
