extension ObjectSource {
    /// The object that a reference points at.
    ///
    /// ```swift
    /// let album = try store.resolve(song.album)
    /// ```
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when it is not stored.
    public func resolve<Target: Model>(_ reference: Reference<Target>) throws -> Target {
        guard let target = try read({ try $0.fetch(Target.self, id: reference.id) }) else { throw reference.dangling }
        return target
    }

    /// The object that a reference points at; nil when the reference is nil.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when it is not stored.
    public func resolve<Target: Model>(_ reference: Reference<Target>?) throws -> Target? {
        try reference.map { try resolve($0) }
    }

    /// The objects that references point at, in the order of the references and with repetitions.
    ///
    /// All are asked for in one go.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` for the first that is not stored.
    @inlinable
    public func resolve<Target: Model>(_ references: some Sequence<Reference<Target>>) throws -> [Target] {
        let ids = references.map { $0.id }
        let found = try read { try $0.fetch(Target.self, ids: ids) }
        // They come in the order of the ids, without those that are not stored: the first that is not in its place is the first missing.
        if found.count == ids.count { return found }
        let missing = zip(ids, found).first { !$0.hasKey(of: $1.id) }?.0 ?? ids[found.count]
        throw Reference<Target>(id: missing).dangling
    }

    /// The objects that references point at, by the names of the references.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when one is not stored.
    public func resolve<Target: Model>(_ references: [String: Reference<Target>]) throws -> [String: Target] {
        let targets = Set(references.values)
        let found = try read { try $0.fetch(Target.self, ids: targets.map(\.id)) }
        let objects = Dictionary(found.map { (Reference($0), $0) }, uniquingKeysWith: { first, _ in first })
        return try references.mapValues { reference in
            guard let target = objects[reference] else { throw reference.dangling }
            return target
        }
    }

    /// The stored objects that references point at, in the order of the references and with repetitions.
    @inlinable
    public func fetch<Target: Model>(references: some Sequence<Reference<Target>>) throws -> [Target] {
        let ids = references.map { $0.id }
        return try read { try $0.fetch(Target.self, ids: ids) }
    }
}

extension Reference {
    @usableFromInline var dangling: TroveError { .danglingReference(model: Target.schema.name, id: id.shownInErrors) }
}

extension ObjectSource {
    /// The stored objects that references of any models point at, in the order of the references and with repetitions.
    ///
    /// ```swift
    /// let found = try store.fetch(references: [AnyReference(song), AnyReference(Album.self, id: id)])
    /// for case let album as Album in found { print(album.title) }
    /// ```
    ///
    /// All of one model are asked for in one go. What a reference to a document points at is a ``Document``.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)`` when the program lacks the model of one, or one points into a collection that nobody has made. Then none is
    ///   fetched.
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
    /// The objects, and documents, that references of any models point at, in one request of the engine for each model; those that are not stored are left out.
    func objects(_ references: some Collection<AnyReference>) throws -> [AnyReference: any Model] {
        var objects: [AnyReference: any Model] = [:]
        for (name, references) in Dictionary(grouping: references, by: \.modelName) {
            if let model = core.model(named: name) {
                try read(model, references, open(model), &objects)
            } else if let collection = try openRecords(named: name), collection.binding.isCollection {
                try read(Document.self, references, collection, &objects)
            } else {
                throw TroveError.unknownModel(name)
            }
        }
        return objects
    }

    /// The documents of a collection that references point at, in one request of the engine; those that are not stored are left out.
    ///
    /// - Throws: ``TroveError/invalidCollection(name:reason:)``.
    func documents(_ references: [AnyReference], of collection: String) throws -> [AnyReference: any Model] {
        var documents: [AnyReference: any Model] = [:]
        try read(Document.self, references, openCollection(named: collection), &documents)
        return documents
    }

    private func read<Object: Model>(
        _ type: Object.Type, _ references: [AnyReference], _ model: OpenModel, _ objects: inout [AnyReference: any Model]
    ) throws {
        let name = model.binding.schema.name
        // The id of a live object is not asked for: another thread may hold the lock it takes, and wait for the engine.
        try withRecords(of: model, RecordKeys(bytes: references.lazy.map(\.keyBytes))) { record in
            let reference = AnyReference(modelName: name, keyBytes: try record.wholeKey())
            objects[reference] = try object(&record) as Object
        }
    }
}
