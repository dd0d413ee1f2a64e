extension StoreCore {
    /// What a store has been opened with.
    struct Opened {
        let header: StoreHeader
        var bindings: [ObjectIdentifier: ModelBinding] = [:]
        var declarations: [(binding: ModelBinding, declarations: [IndexDeclaration])] = []
        let relationships: RelationshipTable
        /// What the catalogue says of all layouts.
        let layouts: [LayoutEntry]

        /// Registers the models, whose layouts may have to be written.
        ///
        /// - Parameter closed: the properties in which a value in the clear is refused; nil when the program has no keys.
        init(
            _ header: StoreHeader, _ models: [any Model.Type], closed: Set<String>?, _ registration: inout SchemaRegistration, _ following: any ChangeFollowing
        ) throws {
            self.header = header
            let schemas = try models.map { try registration.schema($0.schema, closed: closed) }
            for (model, schema) in zip(models, schemas) { bindings[ObjectIdentifier(model)] = try Self.register(model, schema, &registration) }
            relationships = try RelationshipTable(models, bindings)
            for model in models {
                guard let binding = bindings[ObjectIdentifier(model)] else { continue }
                let references = relationships.relationships(of: binding.schema.name)
                declarations.append((binding, try IndexDeclaration.all(of: model, binding, references.map(\.index))))
                registration.describe(
                    binding.layout, relationships.attributes(of: binding), identity: binding.schema.identity,
                    hasCustomDeleteRule: following.asksObjects(of: model))
            }
            layouts = registration.entries
        }

        private static func register<Object: Model>(
            _ model: Object.Type, _ schema: ModelSchema, _ registration: inout SchemaRegistration
        ) throws -> ModelBinding {
            try ModelBinding(model, schema, layout: registration.register(model, schema))
        }
    }

    static func checkNames(_ models: [any Model.Type]) throws {
        var types: [String: any Model.Type] = [:]
        for model in models {
            if let other = types.updateValue(model, forKey: model.schema.name), other != model {
                throw TroveError.duplicateModel(
                    name: model.schema.name, first: String(reflecting: other), second: String(reflecting: model))
            }
        }
    }

    /// The store as it is, or nil when something has to be written first.
    ///
    /// - Throws: ``StorageError/noSuchStore(_:)`` when there is none and none may be made.
    static func open(
        _ reader: any StorageReader, _ backend: any StorageBackend, mayCreate: Bool, closed: Set<String>?, models: [any Model.Type],
        _ following: any ChangeFollowing
    ) throws -> Opened? {
        guard let header = try checkedHeader(reader, path: backend.path) else {
            if mayCreate { return nil }
            throw StorageError.noSuchStore(
                .init(
                    engine: backend.capabilities.engine, path: backend.path,
                    message: "there is no store at the path to read; look for it elsewhere, or open it with access: .readWrite to create one"))
        }
        var registration = try SchemaRegistration(reader)
        let opened = try Opened(header, models, closed: closed, &registration, following)
        guard registration.changes.isEmpty || !mayCreate && registration.onlyDescribes else { return nil }
        let (stored, entries) = try IndexDirectory.load(reader)
        var (directory, registered) = (stored, entries)
        try IndexRegistration.register(opened.declarations, reader, &directory, &registered, heedsDefaults: mayCreate)
        return registered == entries ? opened : nil
    }

    static func create(
        _ writer: any StorageWriter, path: String, closed: Set<String>?, models: [any Model.Type], _ following: any ChangeFollowing
    ) throws -> Opened {
        let found = try checkedHeader(writer, path: path)
        let header = found ?? StoreHeader()
        if found == nil { try Catalogue.write(header, writer) }
        var registration = try SchemaRegistration(writer)
        let opened = try Opened(header, models, closed: closed, &registration, following)
        for entry in registration.changes { try Catalogue.write(entry, writer) }
        // Programs that have the store open look at the layouts again.
        if found != nil && !registration.changes.isEmpty || registration.changes.contains(where: \.hasLazyFields) { try IndexDirectory.renew(writer) }
        try IndexDirectory.change(writer) { directory, entries in
            try IndexRegistration.register(opened.declarations, writer, &directory, &entries)
        }
        return opened
    }

    /// The header; nil when the engine is empty.
    private static func checkedHeader(_ reader: any StorageReader, path: String) throws -> StoreHeader? {
        if let header = try Catalogue.header(reader) {
            if header.isCopying { throw TroveError.incompleteCopy(path: path) }
            return header
        }
        let names = try reader.keyspaceNames()
        guard !names.contains(Catalogue.sealedKeyspaceName) else {
            throw TroveError.notAStore(
                path: path, reason: "it is encrypted; open it with its key, through the EncryptedBackend of TroveCrypto")
        }
        guard names.isEmpty else {
            throw TroveError.notAStore(
                path: path, reason: "it has keyspaces (\(names.prefix(3).joined(separator: ", "))…) but no catalogue")
        }
        return nil
    }
}
