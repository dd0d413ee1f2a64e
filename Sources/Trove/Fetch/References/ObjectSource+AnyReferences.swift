extension ObjectSource {
    /// The stored objects that references of any models point at, in the order of the references and with repetitions.
    ///
    /// ```swift
    /// let found = try store.fetch(references: [AnyReference(song), AnyReference(Album.self, id: id)])
    /// for case let album as Album in found { print(album.title) }
    /// ```
    ///
    /// All of one model are asked for in one go.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)`` when the program lacks the model of one.
    public func fetch(references: some Sequence<AnyReference>) throws -> [any Model] {
        let references = Array(references)
        let found = try read { try $0.objects(Set(references)) }
        return references.compactMap { found[$0] }
    }
}

extension ObjectStore {
    /// The stored objects that references of any models point at, in the order of the references.
    public func fetch(references: some Sequence<AnyReference> & Sendable) async throws -> [any Model] {
        try await read { try $0.fetch(references: references) }
    }
}

extension ReadTransaction {
    /// The objects that references of any models point at, in one request of the engine for each model; those that are not stored are left out.
    func objects(_ references: some Collection<AnyReference>) throws -> [AnyReference: any Model] {
        var objects: [AnyReference: any Model] = [:]
        for (name, references) in Dictionary(grouping: references, by: \.modelName) {
            guard let model = core.model(named: name) else { throw TroveError.unknownModel(name) }
            try read(model, references, &objects)
        }
        return objects
    }

    private func read<Object: Model>(
        _ type: Object.Type, _ references: [AnyReference], _ objects: inout [AnyReference: any Model]
    ) throws {
        let name = Object.schema.name
        // The id of a live object is not asked for: another thread may hold the lock it takes, and wait for the engine.
        try withRecords(of: open(type), references.map { RecordKey($0.keyBytes) }) { record in
            let reference = AnyReference(modelName: name, keyBytes: try record.wholeKey())
            objects[reference] = try object(&record) as Object
        }
    }
}
