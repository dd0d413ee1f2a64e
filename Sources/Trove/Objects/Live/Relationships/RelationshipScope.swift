/// The relationship that references are read of: whose it is, and with it where the objects are found.
public struct RelationshipScope: Sendable {
    let owner: any LiveModel
    let field: Int

    init(_ owner: any LiveModel, field: Int) {
        self.owner = owner
        self.field = field
    }

    /// nil when it is not there, and for an object in no context, which has no objects but those it holds.
    func object<Target: LiveModel>(_ reference: Reference<Target>) -> Target? {
        owner._$live.withLock { $0.host?.object(reference, of: owner, field: field) }
    }

    /// Those that are there, in order and with repetitions.
    func objects<Target: LiveModel>(_ references: [Reference<Target>]) -> [Target] {
        references.isEmpty ? [] : owner._$live.withLock { $0.host?.objects(references, of: owner, field: field) } ?? []
    }

    /// - Throws: ``TroveError/danglingReference(model:id:)`` when it is not there.
    func resolve<Target: LiveModel>(_ reference: Reference<Target>) throws -> Target {
        try owner._$live.withLock { domain in
            guard let host = domain.host else { throw reference.isDangling }
            return try host.resolve(reference)
        }
    }
}

extension Reference {
    var isDangling: TroveError { .danglingReference(model: Target.schema.name, id: id.shownInErrors) }
}
