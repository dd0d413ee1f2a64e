/// What a store makes of the layouts of a transfer.
struct TransferTargets {
    struct Target {
        let layout: RecordLayout
        let id: IDCoding
        /// The model; nil when the program does not have it, and of a collection of documents.
        let type: (any Model.Type)?
        /// Whether it is a collection of documents, which every program has.
        let isCollection: Bool
        let binding: ModelBinding?
        /// Why no record of it can be stored.
        let problem: (any Error)?

        /// Whether the program knows nothing of it.
        var isUnknown: Bool { type == nil && !isCollection }
    }

    /// By the models' names, in the order of the header.
    var targets: [String: [Target]] = [:]
    /// How ids are written, by the models' names.
    let ids: [String: IDCoding]
    let keepsUnknown: Bool
}

/// A layout by what makes two of them one: the shape of their records, the type of their ids, and whether they are of documents.
private struct LayoutShape: Hashable {
    let layout: RecordLayout
    let id: IDSchema
    let isCollection: Bool

    init(_ entry: LayoutEntry) {
        layout = entry.layout
        id = entry.id
        isCollection = entry.isCollection
    }

    static func == (left: LayoutShape, right: LayoutShape) -> Bool {
        left.layout.hasSameShape(as: right.layout) && left.id == right.id && left.isCollection == right.isCollection
    }

    func hash(into hasher: inout Hasher) {
        layout.hashShape(into: &hasher)
        hasher.combine(id.description)
    }
}

extension WriteTransaction {
    /// Gives the layouts of a transfer numbers in this store: those it has, or new ones.
    ///
    /// It is a transaction of its own, since a number that was rolled back could be known by another layout.
    ///
    /// - Throws: ``TroveError/invalidModelName(_:reason:)`` for a name that the store or the program has in other scalars;
    ///   ``TroveError/tooManyLayouts(limit:)``.
    func registerLayouts(_ layouts: TransferLayouts, keepsUnknown: Bool) throws -> TransferTargets {
        let writer = try writer
        var entries = try Catalogue.entries(writer)
        var last = entries.lastNumber
        var positions = Dictionary(entries.indices.map { (LayoutShape(entries[$0]), $0) }, uniquingKeysWith: { first, _ in first })
        var stored = Dictionary(grouping: entries, by: \.layout.modelName)
        var changesLayouts = false
        var targets = TransferTargets(ids: layouts.ids, keepsUnknown: keepsUnknown)
        for layout in layouts.layouts {
            let told = layout.entry
            let name = told.layout.modelName
            // Of each name once.
            if let others = stored.removeValue(forKey: name) { try SchemaRegistration.checkScalars(of: name, others, writer) }
            let type = Catalogue.isReserved(name) ? nil : core.model(named: name)
            if let declared = type?.schema.name, !declared.hasBytes(of: name) {
                throw SchemaRegistration.otherScalars(name, "the program has a model", declared)
            }
            let binding = try type.map { try core.binding(for: $0) }
            var problem = try problem(with: told, type, binding)
            if told.isCollection, problem == nil, positions[LayoutShape(told)] == nil {
                let collection = try openCollectionForSaving(named: name)
                try setDates(told.documentDates, ofCollection: name)
                guard let made = try Catalogue.entry(collection.binding.layout.number, writer) else { throw try unknownType(name) }
                last = made.layout.number
                positions[LayoutShape(made)] = entries.count
                entries.append(made)
            }
            var position = positions[LayoutShape(told)]
            if problem == nil, position == nil, type != nil || keepsUnknown {
                last = try RecordLayout.number(after: last)
                let fields = told.layout.fields.map { (name: $0.name, type: $0.type) }
                let new = RecordLayout(number: last, modelName: name, version: told.layout.version, fields: fields)
                var entry = LayoutEntry(new, id: told.id, attributes: told.attributes, hasCustomDeleteRule: told.hasCustomDeleteRule)
                entry.identity = told.identity
                try Catalogue.write(entry, writer)
                changesLayouts = true
                position = entries.count
                positions[LayoutShape(entry)] = entries.count
                entries.append(entry)
            }
            if let position, entries[position].isRetired, problem == nil {
                entries[position].isRetired = false
                try Catalogue.write(entries[position], writer)
                changesLayouts = true
            }
            if problem == nil, position == nil { problem = TroveError.unknownModel(name) }
            targets.targets[name, default: []].append(
                .init(
                    layout: position.map { entries[$0].layout } ?? told.layout, id: IDCoding(told.id), type: type, isCollection: told.isCollection,
                    binding: binding,
                    problem: problem))
        }
        if changesLayouts {
            // Models that the program does not have are made of them.
            try IndexDirectory.renew(writer)
            forgetIndexes()
            try registerReferences()
        }
        return targets
    }

    /// Begins the indexes of what points where of models that the program does not have, where nobody has yet: without them each change would
    /// look for what it concerns in all records.
    private func registerReferences() throws {
        let relationships = try core.relationships(with: indexTable).table.all.filter { $0.model.storedEntry != nil }
        if relationships.isEmpty { return }
        try IndexDirectory.change(writer) { directory, entries in
            for relationship in relationships {
                let model = relationship.model.schema
                if entries.contains(where: { $0.modelName == model.name && $0.schema == relationship.index && $0.state != .dropping }) { continue }
                let isEmpty = try writer.keyspace(named: model.name).map { try writer.isEmpty($0) } ?? true
                entries.append(
                    IndexCatalogueEntry(
                        number: try directory.takeNumber(), modelName: model.name, version: model.version, schema: relationship.index,
                        types: try IndexFields(relationship.index, in: relationship.model).types, state: isEmpty ? .ready : .building(after: nil)))
            }
        }
        forgetIndexes()
    }

    /// Why records of a layout cannot be stored; nil when they can.
    private func problem(with entry: LayoutEntry, _ type: (any Model.Type)?, _ binding: ModelBinding?) throws -> (any Error)? {
        let name = entry.layout.modelName
        do { try checkCanSeal(entry) } catch { return error }
        if entry.isCollection { return try problem(withCollection: entry) }
        if try indexTable.collection(named: name) != nil {
            return TroveError.invalidCollection(name: name, reason: "the store has a collection of documents of this name, and the import a model")
        }
        do {
            try SchemaRegistration.check(ModelSchema(name, fields: entry.layout.fields.map { FieldSchema($0.name, type: $0.type) }))
            guard let type, let binding else { return nil }
            let declared = IDSchema(Self.idType(type))
            guard entry.id.isDeclared(by: declared, of: binding.schema) else {
                return TroveError.idTypeChanged(model: name, stored: entry.id.description, declared: declared.description)
            }
            try SchemaRegistration.check(binding.schema, canRead: entry.layout)
            return nil
        } catch {
            return error
        }
    }

    /// Why no document of a collection can be stored; nil when they can.
    private func problem(withCollection entry: LayoutEntry) throws -> (any Error)? {
        let name = entry.layout.modelName
        guard entry.isOfDocuments else {
            return TroveError.invalidCollection(name: name, reason: "its layout in the import is not that of documents")
        }
        do {
            _ = try openCollection(named: name)
            return nil
        } catch let error as TroveError {
            guard case .invalidCollection = error else { throw error }
            return error
        }
    }

    private static func idType<Object: Model>(_ type: Object.Type) -> any StorableKey.Type { Object.ID.self }
}
