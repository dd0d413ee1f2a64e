/// Which relationships are each other's inverses: found from key paths, of which one side has to give one.
struct InverseTable {
    /// A field by its model's name and its position.
    private struct Place: Hashable {
        let model: String
        let field: Int
    }

    private var partners: [Place: Place] = [:]
    private let bindings: [ObjectIdentifier: ModelBinding]

    /// - Throws: ``TroveError/invalidRelationship(model:field:reason:)``.
    init(_ models: [any Model.Type], _ bindings: [ObjectIdentifier: ModelBinding]) throws {
        self.bindings = bindings
        for model in models.sorted(by: { $0.schema.name < $1.schema.name }) {
            for (position, field) in model.schema.fields.enumerated() {
                guard let relationship = field.relationship, let inverse = relationship.inverse else { continue }
                try join(model, position, field, relationship, inverse)
            }
        }
    }

    /// The model and the position of a field's partner; nil when it has none.
    subscript(model: String, field: Int) -> (model: String, field: Int)? {
        partners[Place(model: model, field: field)].map { ($0.model, $0.field) }
    }

    private mutating func join(
        _ model: any Model.Type, _ position: Int, _ field: FieldSchema, _ relationship: RelationshipSchema, _ inverse: AnyKeyPath
    ) throws {
        func invalid(_ reason: String) -> TroveError {
            .invalidRelationship(model: model.schema.name, field: field.name, reason: reason)
        }
        guard let target = relationship.targetModel else {
            throw invalid("it may point at objects of any model, so it has no inverse; leave 'inverse' out")
        }
        guard ObjectIdentifier(type(of: inverse).rootType) == ObjectIdentifier(target) else {
            throw invalid(
                "its inverse is a property of \(type(of: inverse).rootType), and it points at \(target.schema.name); name one of \(target.schema.name)")
        }
        guard let partner = target.schema.fields.firstIndex(where: { $0.isProperty(inverse) }) else {
            throw invalid("its inverse \(inverse.debugDescription) is no stored property of \(target.schema.name)")
        }
        let other = target.schema.fields[partner]
        guard let back = other.relationship else {
            throw invalid("its inverse \(target.schema.name).\(other.name) is no relationship; declare it as a Reference, or a collection of them")
        }
        guard back.targetModel.map({ ObjectIdentifier($0) }) == ObjectIdentifier(model) else {
            let aim = back.targetModel.map { $0.schema.name } ?? "any model"
            throw invalid("its inverse \(target.schema.name).\(other.name) points at \(aim), not at \(model.schema.name)")
        }
        for (name, shape) in [("it", relationship.shape), ("its inverse \(target.schema.name).\(other.name)", back.shape)] where shape == .keyed {
            throw invalid("\(name) is a collection by name, and an object that is added from the other side has no name")
        }
        try pair(Place(model: model.schema.name, field: position), Place(model: target.schema.name, field: partner), invalid)
    }

    private mutating func pair(_ place: Place, _ partner: Place, _ invalid: (String) -> TroveError) throws {
        for (one, other) in [(place, partner), (partner, place)] {
            if let known = partners[one], known != other {
                throw invalid("\(text(one)) is the inverse of both \(text(known)) and \(text(other)); a relationship has one inverse")
            }
        }
        partners[place] = partner
        partners[partner] = place
    }

    private func text(_ place: Place) -> String {
        let fields = bindings.values.first { $0.schema.name == place.model }?.schema.fields ?? []
        return "\(place.model).\(place.field < fields.count ? fields[place.field].name : "?")"
    }
}

extension FieldSchema {
    fileprivate func isProperty(_ keyPath: AnyKeyPath) -> Bool {
        guard let property else { return false }
        return property as AnyKeyPath == keyPath
    }
}
