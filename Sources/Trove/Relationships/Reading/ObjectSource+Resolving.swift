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

    /// The object that a reference points at; nil when the reference is.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when it is not stored.
    public func resolve<Target: Model>(_ reference: Reference<Target>?) throws -> Target? {
        try reference.map { try resolve($0) }
    }

    /// The objects that references point at, in their order; one that is pointed at several times is there as often.
    ///
    /// All are asked for in one go.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` for the first that is not stored.
    public func resolve<Target: Model>(_ references: some Sequence<Reference<Target>>) throws -> [Target] {
        let references = Array(references)
        let found = try objects(of: references)
        return try references.map { reference in
            guard let target = found[reference.id] else { throw reference.dangling }
            return target
        }
    }

    /// The objects that references point at, by the references' names.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when one is not stored.
    public func resolve<Target: Model>(_ references: [String: Reference<Target>]) throws -> [String: Target] {
        let found = try objects(of: Array(references.values))
        return try references.mapValues { reference in
            guard let target = found[reference.id] else { throw reference.dangling }
            return target
        }
    }

    /// The objects that references point at, in their order and as often as they are pointed at, without those that are not stored.
    public func fetch<Target: Model>(_ references: some Sequence<Reference<Target>>) throws -> [Target] {
        let references = Array(references)
        let found = try objects(of: references)
        return references.compactMap { found[$0.id] }
    }

    /// The objects that references point at, each read once.
    private func objects<Target: Model>(of references: [Reference<Target>]) throws -> [Target.ID: Target] {
        if references.isEmpty { return [:] }
        var known: Set<Target.ID> = []
        let ids = references.map(\.id).filter { known.insert($0).inserted }
        let found = try read { try $0.fetch(Target.self, ids: ids) }
        return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Reference {
    fileprivate var dangling: TroveError { .danglingReference(model: Target.schema.name, id: id.shownInErrors) }
}
