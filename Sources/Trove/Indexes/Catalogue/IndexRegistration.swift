/// What opening a store with models makes of its indexes.
enum IndexRegistration {
    /// Brings the catalogue's entries in line with what the models declare: declared indexes that are there are taken over, others of these
    /// models dropped, and new or changed ones begun. Those made at run time stay, fitted to the fields as they are now. Other models keep theirs.
    ///
    /// - Parameter heedsDefaults: false where nothing may be written: an index with another program's defaults is left out of queries then.
    static func register(
        _ models: [(binding: ModelBinding, declarations: [IndexDeclaration])], _ reader: any StorageReader,
        _ directory: inout IndexDirectory, _ entries: inout [IndexCatalogueEntry], heedsDefaults: Bool = true
    ) throws {
        for (binding, declarations) in models {
            let (name, version) = (binding.schema.name, binding.schema.version)
            var pending = declarations
            var begun: [IndexCatalogueEntry] = []
            for position in entries.indices where entries[position].modelName == name && entries[position].state != .dropping {
                let entry = entries[position]
                let hasOtherDefaults = try heedsDefaults && entry.hasOtherDefaults(than: binding, Catalogue.entries(reader))
                if !hasOtherDefaults, let match = pending.firstIndex(where: { entry.fits($0, version: version) }) {
                    let taken = pending.remove(at: match)
                    // No record has the former ones: none lacks the fields.
                    if heedsDefaults { entries[position].defaults.merge(taken.defaults) { $1 } }
                    // One that was made at run time is the model's from now on.
                    entries[position].isDeclared = true
                } else if entry.isDeclared || declarations.contains(where: { $0.schema.name == entry.schema.name }) {
                    entries[position].state = .dropping
                } else if let (schema, fields) = present(entry, in: binding) {
                    if !hasOtherDefaults, schema == entry.schema, fields.types == entry.types, version == entry.version {
                        if heedsDefaults { entries[position].defaults.merge(fields.defaults) { $1 } }
                        continue
                    }
                    entries[position].state = .dropping
                    begun.append(
                        IndexCatalogueEntry(
                            number: try directory.takeNumber(), modelName: name, version: version, schema: schema, types: fields.types,
                            state: .building(after: nil), isDeclared: false, rebuilding: entry.state == .ready ? .asked : entry.rebuilding,
                            defaults: fields.defaults))
                } else if !entry.schema.isUnique {
                    // One of a field that is gone waits for it, without entries, until it is dropped. A unique one goes on judging for the programs that have
                    // the field; this one may not save until it is dropped.
                    try entries.restart(entry.number, &directory, .asked)
                }
            }
            begun += try pending.map { declaration in
                IndexCatalogueEntry(
                    number: try directory.takeNumber(), modelName: name, version: version, schema: declaration.schema, types: declaration.types,
                    state: .building(after: nil), defaults: declaration.defaults)
            }
            if begun.isEmpty { continue }
            let isEmpty = try reader.keyspace(named: name).map { try reader.isEmpty($0) } ?? true
            for var entry in begun {
                if isEmpty { entry.state = .ready }
                entries.append(entry)
            }
        }
    }

    /// An index that was made at run time, of the fields' present names and types; nil when the model does not have them.
    private static func present(_ entry: IndexCatalogueEntry, in binding: ModelBinding) -> (schema: IndexSchema, fields: IndexFields)? {
        let schema = entry.schema.ofRenamedFields(in: binding.schema)
        do {
            return (schema, try IndexFields(schema, in: binding))
        } catch {
            return nil
        }
    }
}

extension IndexSchema {
    /// The same index of fields that have other names by now.
    fileprivate func ofRenamedFields(in model: ModelSchema) -> IndexSchema {
        func renamed(_ path: FieldPath) -> FieldPath {
            guard !model.fields.contains(where: { $0.name == path.field }), let field = model.fields.first(where: { $0.originalName == path.field })
            else { return path }
            return FieldPath(field: field.name, names: path.names)
        }
        return IndexSchema(
            name, kind: kind,
            parts: parts.map { IndexPart(renamed($0.path), $0.direction, ignoring: $0.ignoring, indexesValues: $0.indexesValues) },
            covered: covered.map(renamed),
            aggregates: aggregates.map { aggregate in
                switch aggregate {
                case .count: .count
                case .sum(let path): .sum(renamed(path))
                }
            }, derivedVersion: derivedVersion)
    }
}
