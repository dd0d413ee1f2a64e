/// What points where in a store and what it asks of changes: the relationships of the models that the program has, and of those that only the catalogue tells.
final class RelationshipSet: Sendable {
    let table: RelationshipTable
    /// What they ask of changes.
    let rules: RelationshipRules
    /// The same in a store that has bags.
    let rulesWithBags: RelationshipRules
    /// The models that the program does not have.
    private let stored: [ModelBinding]

    /// - Parameters:
    ///   - declared: the relationships of the models that the program has.
    ///   - stored: the models that it does not have.
    ///   - memberships: what points from bags to their members.
    ///   - models: the models that it has.
    init(_ declared: RelationshipTable, _ stored: [ModelBinding], _ memberships: RelationshipBinding, declared models: [ModelBinding]) {
        self.stored = stored
        table = stored.isEmpty ? declared : RelationshipTable(declared, of: models, with: stored)
        rules = RelationshipRules(table)
        rulesWithBags = RelationshipRules(table, membership: memberships)
    }

    /// Whether these are the models that the program does not have.
    func isOf(_ models: [ModelBinding]) -> Bool { stored.count == models.count && zip(stored, models).allSatisfy { $0 === $1 } }
}

extension ModelBinding {
    /// The relationships that the catalogue tells of a model that the program does not have, in the order of its fields.
    ///
    /// - Parameter bindings: all models, by their names.
    func storedRelationships(among bindings: [String: ModelBinding]) -> [RelationshipBinding] {
        guard let storedEntry else { return [] }
        return storedEntry.attributes.enumerated().compactMap { position, attributes -> RelationshipBinding? in
            guard let relationship = attributes.relationship else { return nil }
            let target = relationship.target.flatMap { bindings[$0] }
            guard (target == nil) == (relationship.target == nil),
                layout.fields[position].type == relationship.fieldType(RelationshipBinding.referenceType(target))
            else { return nil }
            let inverse = relationship.inverse.flatMap { name in target.flatMap { self.inverse(named: name, in: $0, of: layout.fields[position].name) } }
            do {
                return try RelationshipBinding(self, field: position, relationship, target: target, inverse: inverse)
            } catch {
                // No program that Trove would open a store for has declared it.
                return nil
            }
        }
    }

    /// The field that is the inverse of one of this model, when it says so itself.
    private func inverse(named name: String, in target: ModelBinding, of field: String) -> (model: String, field: Int)? {
        guard let place = target.layout.position(of: name), let back = target.storedEntry?.attributes[place].relationship, back.inverse == field, back.target == schema.name
        else { return nil }
        return (target.schema.name, place)
    }
}
