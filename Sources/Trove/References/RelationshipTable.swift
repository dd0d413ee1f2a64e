/// All relationships of an open store's models, checked against each other.
struct RelationshipTable: Sendable {
    /// By the name of the model that has them.
    private let outgoing: [String: [RelationshipBinding]]
    /// By the name of the model they point at, those to any model among them.
    private let incoming: [String: [RelationshipBinding]]
    /// Those that may point at any model, which may be one that the program does not have.
    private let unbound: [RelationshipBinding]

    /// All of them, by the models' names and in the order of the fields.
    let all: [RelationshipBinding]

    /// - Throws: ``TroveError/invalidRelationship(model:field:reason:)`` for the first that cannot be.
    init(_ models: [any Model.Type], _ bindings: [ObjectIdentifier: ModelBinding]) throws {
        let inverses = try InverseTable(models, bindings)
        var outgoing: [String: [RelationshipBinding]] = [:]
        for binding in bindings.values {
            let relationships: [RelationshipBinding] = try binding.schema.fields.enumerated().compactMap { position, field in
                guard let schema = field.relationship else { return nil }
                let inverse = inverses[binding.schema.name, position]
                let target = schema.targetModel.flatMap { bindings[ObjectIdentifier($0)] }
                return try RelationshipBinding(
                    binding, field: position, StoredRelationship(schema, inverse: inverse.flatMap { target?.schema.fields[$0.field].name }), target: target,
                    inverse: inverse)
            }
            if !relationships.isEmpty { outgoing[binding.schema.name] = relationships }
        }
        self.init(outgoing, outgoing.sorted { $0.key < $1.key }.flatMap(\.value), of: bindings.values.map(\.schema.name))
    }

    /// The relationships of the models that the program has, and those that the catalogue tells of others.
    ///
    /// What the catalogue tells and cannot be, as an inverse that does not point back, is left out.
    init(_ declared: RelationshipTable, of models: [ModelBinding], with stored: [ModelBinding]) {
        let bindings = Dictionary((models + stored).map { ($0.schema.name, $0) }, uniquingKeysWith: { first, _ in first })
        let told = stored.map { ($0.schema.name, $0.storedRelationships(among: bindings)) }.filter { !$0.1.isEmpty }
        let outgoing = declared.outgoing.merging(told) { first, _ in first }
        self.init(outgoing, declared.all + told.flatMap(\.1), of: Array(bindings.keys))
    }

    private init(_ outgoing: [String: [RelationshipBinding]], _ all: [RelationshipBinding], of models: [String]) {
        self.outgoing = outgoing
        self.all = all
        unbound = all.filter { $0.target == nil }
        incoming = Dictionary(uniqueKeysWithValues: Set(models).map { name in (name, all.filter { $0.mayPoint(at: name) }) }).filter { !$0.value.isEmpty }
    }

    /// The relationships that a model has, in the order of its fields.
    func relationships(of modelName: String) -> [RelationshipBinding] { outgoing[modelName] ?? [] }

    /// The relationships that may point at a model, which the program need not have.
    func relationships(to modelName: String) -> [RelationshipBinding] { incoming[modelName] ?? unbound }

    /// The relationship that says the same the other way round; nil when there is none.
    func inverse(of relationship: RelationshipBinding) -> RelationshipBinding? {
        guard let (model, field) = relationship.inverse else { return nil }
        return relationships(of: model).first { $0.field == field }
    }
}

extension RelationshipTable {
    /// What a model declares of its fields, for the catalogue.
    func attributes(of model: ModelBinding) -> [FieldAttributes] {
        model.attributes(relationships(of: model.schema.name))
    }
}

extension ModelBinding {
    /// What the model declares of its fields, for the catalogue.
    func attributes(_ relationships: [RelationshipBinding]) -> [FieldAttributes] {
        schema.fields.enumerated().map { position, field in
            FieldAttributes(field, relationship: relationships.first { $0.field == position }?.schema)
        }
    }
}

/// The models that relationships lead to.
enum RelatedModels {
    /// The models, each once, and behind them those that their relationships lead to, over any number of hops.
    static func all(from models: [any Model.Type]) -> [any Model.Type] {
        var known: Set<ObjectIdentifier> = []
        var found: [any Model.Type] = []
        for model in models where known.insert(ObjectIdentifier(model)).inserted { found.append(model) }
        var next = 0
        while next < found.count {
            for field in found[next].schema.fields {
                if let target = field.relationship?.targetModel, known.insert(ObjectIdentifier(target)).inserted { found.append(target) }
            }
            next += 1
        }
        return found
    }
}

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
        guard let place = target.layout.position(of: name), let back = target.storedEntry?.attributes[place].relationship, back.inverse == field,
            back.target == schema.name
        else { return nil }
        return (target.schema.name, place)
    }
}
