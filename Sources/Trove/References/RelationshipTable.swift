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
                return try RelationshipBinding(
                    binding, field: position, schema, target: schema.targetModel.flatMap { bindings[ObjectIdentifier($0)] },
                    inverse: inverses[binding.schema.name, position])
            }
            if !relationships.isEmpty { outgoing[binding.schema.name] = relationships }
        }
        all = outgoing.sorted { $0.key < $1.key }.flatMap(\.value)
        unbound = all.filter { $0.target == nil }
        var incoming: [String: [RelationshipBinding]] = [:]
        for binding in bindings.values {
            let relationships = all.filter { $0.mayPoint(at: binding.schema.name) }
            if !relationships.isEmpty { incoming[binding.schema.name] = relationships }
        }
        self.outgoing = outgoing
        self.incoming = incoming
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
        model.attributes(relationships(of: model.schema.name)) { self.inverse(of: $0)?.name }
    }
}

extension ModelBinding {
    /// What the model declares of its fields, for the catalogue; `inverse` tells the name of a relationship's inverse.
    func attributes(_ relationships: [RelationshipBinding], inverse: (RelationshipBinding) -> String?) -> [FieldAttributes] {
        schema.fields.enumerated().map { position, field in
            let relationship = relationships.first { $0.field == position }
            return FieldAttributes(field, relationship: relationship.map { StoredRelationship($0.schema, inverse: inverse($0)) })
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
