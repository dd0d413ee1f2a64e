/// The relationship that references are read of: whose it is, and where the objects are found.
public struct RelationshipScope {
    let owner: any LiveModel
    let field: Int
    /// nil for an object in no context, which has no objects but those it holds.
    let host: (any ObjectHost)?

    init(_ owner: any LiveModel, field: Int, in domain: ObjectDomain) {
        self.owner = owner
        self.field = field
        host = domain.host
    }

    func object<Target: LiveModel>(_ reference: Reference<Target>) -> Target? {
        host?.object(reference, of: owner, field: field)
    }

    func objects<Target: LiveModel>(_ references: [Reference<Target>]) -> [Target] {
        references.isEmpty ? [] : host?.objects(references, of: owner, field: field) ?? []
    }
}
