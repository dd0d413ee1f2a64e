/// Collections of documents, which are known by their names and not by a Swift type.
extension ReadTransaction {
    /// A collection with its keyspace, looked up once; of one that has not been made yet the keyspace is nil.
    ///
    /// - Throws: ``TroveError/invalidCollection(name:reason:)`` when no collection can have this name, or a model has it.
    @usableFromInline func openCollection(named name: String) throws -> OpenModel {
        if let model = collections[name], model.binding.isCollection, model.binding.schema.name.hasBytes(of: name) { return model }
        try Self.checkCollectionName(name)
        guard let binding = try indexTable.collection(named: name) else {
            if try indexTable.isForeignCollection(name) {
                throw TroveError.invalidCollection(
                    name: name, reason: "its documents are stored in another way than this version of Trove stores them; use the version that created it")
            }
            if try core.model(named: name) != nil || reader.keyspace(named: name) != nil {
                throw TroveError.invalidCollection(name: name, reason: "a model has this name")
            }
            let fields = Document.schema.fields.map { (name: $0.name, type: $0.type) }
            return OpenModel(try ModelBinding(collection: RecordLayout(number: 0, modelName: name, version: 1, fields: fields)))
        }
        guard binding.schema.name.hasBytes(of: name) else {
            throw TroveError.invalidCollection(name: name, reason: "the store has a collection of this name in other scalars, which look the same")
        }
        let model = OpenModel(type: binding.type, binding: binding, keyspace: try reader.keyspace(named: name), pipeline: try pipeline(of: binding))
        collections[name] = model
        return model
    }

    /// The binding of a model, which the program need not have, or of a collection.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)``.
    func binding(named name: String) throws -> ModelBinding {
        try indexTable.collection(named: name) ?? indexTable.storedModel(named: name) ?? core.binding(named: name)
    }

    /// What tells the ids of a model in messages; nil where neither the program nor the catalogue has the model.
    ///
    /// - Throws: `StorageError` when the engine cannot read: who caught that would go on in a transaction that has failed.
    func namedModel(_ name: String) throws -> ModelBinding? {
        do { return try binding(named: name) } catch is TroveError { return nil }
    }

    /// The id of an object for a message; by its bytes alone where nobody has the model.
    func shownID(of reference: AnyReference) throws -> String { try namedModel(reference.modelName)?.shownID(reference.keyBytes) ?? reference.likelyID }

    private static func checkCollectionName(_ name: String) throws {
        if name.isEmpty || name.utf8.count > StorageLimits.maxKeyspaceNameSize {
            throw TroveError.invalidCollection(name: name, reason: "a name has 1 to \(StorageLimits.maxKeyspaceNameSize) bytes")
        }
        if Catalogue.isReserved(name) {
            throw TroveError.invalidCollection(name: name, reason: "names that begin with \(Catalogue.reservedPrefix) are Trove's own")
        }
    }
}

extension WriteTransaction {
    /// A collection whose documents are to be stored; the first call makes it.
    ///
    /// - Throws: ``TroveError/invalidCollection(name:reason:)``; ``TroveError/tooManyLayouts(limit:)``.
    @usableFromInline func openCollectionForSaving(named name: String) throws -> OpenModel {
        let model = try openCollection(named: name)
        if model.keyspace != nil { return model }
        try createCollection(named: name, .all)
        return try openCollection(named: name)
    }

    /// Makes a collection, which must not be there.
    func createCollection(named name: String, _ indexing: DocumentIndexing) throws {
        let writer = try writer
        let entries = try Catalogue.entries(writer)
        // A model without records has no keyspace yet.
        guard !entries.contains(where: { $0.layout.modelName == name && !$0.isRetired }) else {
            throw TroveError.invalidCollection(name: name, reason: "a model has this name")
        }
        let fields = Document.schema.fields
        let layout = RecordLayout(number: try RecordLayout.number(after: entries.lastNumber), modelName: name, version: 1, fields: fields.map { ($0.name, $0.type) })
        newLayouts.insert(layout.number)
        try change {
            try Catalogue.write(
                LayoutEntry(
                    layout, id: IDSchema(Document.ID.self), attributes: fields.map { FieldAttributes($0) }, isCollection: true, hasCustomDeleteRule: false),
                writer)
            _ = try writer.createKeyspace(named: name)
            try IndexDirectory.change(writer) { directory, entries in
                entries.append(
                    IndexCatalogueEntry(
                        number: try directory.takeNumber(), modelName: name, version: 1, schema: .paths(indexing), types: IndexSchema.pathTypes, state: .ready))
            }
            if let pipeline { try pipeline.reload() } else { forgetIndexes() }
        }
    }
}
