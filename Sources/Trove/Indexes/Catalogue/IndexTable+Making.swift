/// What a table is made of: the models of its catalogue, the indexes that the program can keep, and why it must not store objects.
extension IndexTable {
    /// A model that the program does not have.
    struct StoredModel {
        /// As the program writes it that has it.
        let binding: ModelBinding
        /// To read records of all its layouts; the same where there is one.
        let reading: ModelBinding
    }

    static func collections(
        _ layouts: [LayoutEntry], _ fullText: [String: [IndexSchema]], _ previous: IndexTable
    ) throws -> [String: ModelBinding] {
        var collections: [String: ModelBinding] = [:]
        for entry in layouts {
            let known = previous.collections[entry.layout.modelName]
            let fullText = fullText[entry.layout.modelName] ?? []
            // A number that was rolled back may be another collection's now.
            let isSame = known?.layout.number == entry.layout.number && known?.layout.modelName.hasBytes(of: entry.layout.modelName) == true
                && known?.documentDates == entry.documentDates && known?.fullTextIndexes == fullText
            collections[entry.layout.modelName] = try isSame ? known : ModelBinding(collection: entry.layout, entry.documentDates, fullText: fullText)
        }
        return collections
    }

    /// The models that the program does not have, each as its latest layout has it: that of the latest version, and of several that which was made last.
    static func storedModels(
        _ layouts: [LayoutEntry], _ fullText: [String: [IndexSchema]], _ previous: IndexTable, hidesEncrypted: Bool
    ) -> [String: StoredModel] {
        let live = layouts.filter { !$0.isRetired && !Catalogue.isReserved($0.layout.modelName) }
        return Dictionary(grouping: live, by: \.layout.modelName).compactMapValues { layouts in
            guard let entry = layouts.max(by: { ($0.layout.version, $0.layout.number) < ($1.layout.version, $1.layout.number) }) else { return nil }
            let known = previous.stored[entry.layout.modelName]
            let fullText = fullText[entry.layout.modelName] ?? []
            // Nor is one whose encrypted fields nobody can read.
            let isAlone = layouts.count == 1 && !(hidesEncrypted && !entry.encryptedFields.isEmpty)
            // A number that was rolled back may be another layout's now.
            if let known, known.binding.storedEntry?.tellsTheSame(as: entry) == true, known.binding.fullTextIndexes == fullText,
                (known.binding === known.reading) == isAlone
            {
                return known
            }
            let binding = ModelBinding(stored: entry, fullText: fullText)
            return StoredModel(
                binding: binding, reading: isAlone ? binding : ModelBinding(anyLayoutOf: entry, fullText: fullText, hidesEncrypted: hidesEncrypted))
        }
    }

    /// What keeps an index, when the program can: with the model in the version that the index was made for, and its derived value's function.
    static func binding(
        _ entry: IndexCatalogueEntry, _ model: (binding: ModelBinding, declarations: [IndexDeclaration])?, _ uses: IndexUses, _ sealer: (any FieldSealer)?
    ) -> IndexBinding? {
        guard let model, model.binding.schema.version == entry.version else { return nil }
        // A derived value's function is known by its version, which is the declaration's.
        let isDeclared = model.declarations.contains { entry.fits($0, version: entry.version) }
        guard isDeclared || entry.schema.derivedVersion == nil else { return nil }
        do {
            return try IndexBinding(entry, in: model.binding, uses: uses.count(of: entry.number), sealer: sealer)
        } catch {
            // Another program's index of what this one's model does not have. Its changes will have it built anew.
            return nil
        }
    }

    /// Why objects of a model must not be stored by this program any more; nil when they may be.
    ///
    /// - Parameter kept: the numbers of the indexes that it can keep.
    static func problem(
        _ binding: ModelBinding, _ declarations: [IndexDeclaration], _ entries: [IndexCatalogueEntry], kept: Set<Int>, _ retired: Set<UInt16>
    ) -> TroveError? {
        let name = binding.schema.name
        if retired.contains(binding.layout.number) {
            return .changedByAnotherProgram(model: name, reason: "it cannot read what this one writes, or has upgraded all objects of it")
        }
        // Bags have no indexes before there is a bag.
        if Catalogue.isReserved(name) { return nil }
        let present = entries.filter { $0.modelName == name && $0.state != .dropping }
        if let missing = declarations.first(where: { declared in
            declared.schema.isUnique && !present.contains { $0.fits(declared, version: binding.schema.version) }
        }) {
            return .changedByAnotherProgram(
                model: name, reason: "it does not declare the unique index '\(missing.schema.name)' as this one does, so nothing prevents equal values")
        }
        let unique = present.filter(\.schema.isUnique)
        if let foreign = unique.first(where: { !kept.contains($0.number) }) { return unkept(foreign) }
        guard let blind = unique.first(where: { $0.state == .building(after: nil) && $0.rebuilding == .unseen }) else { return nil }
        return .changedByAnotherProgram(
            model: name,
            reason: "it changed objects without keeping the unique index '\(blind.schema.name)', which does not judge before it is built: call buildIndexes()")
    }

    static func unsealed(_ field: FieldSchema, of model: ModelBinding) -> TroveError {
        .changedByAnotherProgram(
            model: model.schema.name, reason: "it has encrypted '\(field.name)', which this one declares in the clear; open the store again")
    }

    static func unkept(_ entry: IndexCatalogueEntry) -> TroveError {
        .changedByAnotherProgram(
            model: entry.modelName,
            reason: "it has the unique index '\(entry.schema.name)', which this one cannot keep"
                + (entry.isDeclared ? "" : "; when no program needs it, drop it: dropIndex(named: \"\(entry.schema.name)\", of: \"\(entry.modelName)\")"))
    }
}
