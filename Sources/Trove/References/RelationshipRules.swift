/// What the relationships of an open store's models ask of changes, worked out once.
final class RelationshipRules: Sendable {
    /// All relationships; one's place here is its number.
    let relationships: [RelationshipBinding]
    /// By number, the number of the relationship that says the same the other way round; nil where there is none.
    let inverses: [Int?]
    /// The number of what points from bags to their members, which is no reason to keep them; nil in a store that never had a bag.
    let membership: Int?
    private let models: [String: ModelRules]
    /// What holds for models that the program does not have.
    private let unknown: ModelRules

    /// - Parameter membership: what points from bags to their members. All others have the same number with and without it.
    init(_ table: RelationshipTable, membership: RelationshipBinding? = nil) {
        let all = table.all + (membership.map { [$0] } ?? [])
        relationships = all
        self.membership = membership.map { _ in table.all.count }
        let number = { (binding: RelationshipBinding) in all.firstIndex { $0 === binding } }
        let inverses = all.map { table.inverse(of: $0).flatMap(number) }
        self.inverses = inverses
        let rules = { (name: String?) in
            ModelRules(all, inverses, outgoing: all.indices.filter { all[$0].model.schema.name == name },
                incoming: all.indices.filter { name.map(all[$0].mayPoint) ?? (all[$0].target == nil) })
        }
        let names = Set(all.flatMap { [$0.model.schema.name, $0.target?.schema.name].compactMap(\.self) })
        models = Dictionary(uniqueKeysWithValues: names.map { ($0, rules($0)) })
        unknown = rules(nil)
    }

    /// What the relationships ask of changes of a model, which the program need not have.
    func model(_ name: String) -> ModelRules { models[name] ?? unknown }
}

/// What relationships ask of changes of one model's records. Relationships go by their numbers in ``RelationshipRules``.
struct ModelRules: Sendable {
    /// Those of the model that have an inverse or own what they point at, of which a save has to tell what it changes.
    let tracked: [TrackedRelationship]
    /// Whether one of them has an inverse.
    let hasInverses: Bool
    /// Those of the model by which a deletion deletes more or is denied.
    let spreading: [Int]
    /// Those that may point at the model.
    let incoming: [Int]

    /// Whether a deletion of a record of the model may concern others.
    var concernsDeletion: Bool { !spreading.isEmpty || !incoming.isEmpty }

    init(_ all: [RelationshipBinding], _ inverses: [Int?], outgoing: [Int], incoming: [Int]) {
        tracked = outgoing.compactMap { number in
            let owns = all[number].schema.deleteRule.owns
            guard owns || inverses[number] != nil else { return nil }
            return TrackedRelationship(number: number, binding: all[number], inverse: inverses[number], owns: owns)
        }
        hasInverses = tracked.contains { $0.inverse != nil }
        spreading = outgoing.filter { all[$0].schema.deleteRule.owns || all[$0].schema.deleteRule == .deny }
        self.incoming = incoming
    }
}

/// A relationship of which changes are noted.
struct TrackedRelationship: Sendable {
    let number: Int
    let binding: RelationshipBinding
    /// The number of the inverse.
    let inverse: Int?
    /// Whether what is taken out of it may have to be deleted.
    let owns: Bool

    /// Where the field is in records.
    var field: RecordLayout.Field { binding.model.layout.fields[binding.field] }
}
