/// What opening a store with models makes of its indexes.
enum IndexRegistration {
    /// Brings the catalogue's entries in line with what the models declare: declared indexes that are there are taken over, others of these
    /// models dropped, and new or changed ones begun. Other models keep theirs.
    static func register(
        _ models: [(binding: ModelBinding, declarations: [IndexDeclaration])], _ reader: any StorageReader,
        _ directory: inout IndexDirectory, _ entries: inout [IndexCatalogueEntry]
    ) throws {
        for (binding, declarations) in models {
            let (name, version) = (binding.schema.name, binding.schema.version)
            var pending = declarations
            for position in entries.indices where entries[position].typeName == name && entries[position].state != .dropping {
                if let match = pending.firstIndex(where: { entries[position].fits($0, version: version) }) {
                    pending.remove(at: match)
                } else {
                    entries[position].state = .dropping
                }
            }
            if pending.isEmpty { continue }
            let isEmpty = try reader.keyspace(named: name).map { try reader.isEmpty($0) } ?? true
            for declaration in pending {
                entries.append(
                    IndexCatalogueEntry(
                        number: directory.nextNumber, typeName: name, version: version, schema: declaration.schema,
                        types: declaration.types, state: isEmpty ? .ready : .building(after: nil)))
                directory.nextNumber += 1
            }
        }
    }
}

extension StorageReader {
    /// Whether a keyspace has no entries.
    func isEmpty(_ keyspace: Keyspace) throws -> Bool {
        var isEmpty = true
        try scan(in: keyspace) { _, _ in
            isEmpty = false
            return .stop
        }
        return isEmpty
    }
}
