/// Where the path to an aggregate goes on in many objects: those of a relationship to many, or those that refer to the object with a property.
struct MemberHop {
    enum Direction {
        /// What the references of a field point at.
        case targets(of: RelationshipBinding)
        /// What refers to the object.
        case sources(of: RelationshipBinding)
    }

    let direction: Direction
    /// The path from each of the objects; nil where they are counted.
    let rest: FieldPath?

    /// The model of the objects.
    ///
    /// - Throws: ``TroveError/unknownPath(model:path:reason:)`` when it may be any.
    func model(_ path: FieldPath) throws -> String {
        switch direction {
        case .sources(let relationship): return relationship.model.schema.name
        case .targets(let relationship):
            guard let target = relationship.target?.schema.name else {
                throw relationship.model.unknownPath(path, "'\(relationship.name)' may point at objects of any model, so their fields are unknown")
            }
            return target
        }
    }
}

extension RelationshipTable {
    /// Where the path to an aggregate goes on in many objects; nil when its members lie in the object, or behind a reference to one.
    ///
    /// - Parameter binding: the model of the object, for messages.
    /// - Throws: ``TroveError/unknownPath(model:path:reason:)`` for a property that does not point at the model.
    func memberHop(of path: FieldPath, in binding: ModelBinding) throws -> MemberHop? {
        guard path.aggregate != nil else { return nil }
        let name = binding.schema.name
        if let (model, property, rest) = path.sources {
            guard let relationship = relationships(of: model).first(where: { $0.name.hasBytes(of: property) }), relationship.mayPoint(at: name) else {
                let known = relationships(to: name).map { "\($0.model.schema.name).\($0.name)" }.joined(separator: ", ")
                throw binding.unknownPath(
                    path, "no property '\(property)' of a model '\(model)' points at \(name); \(known.isEmpty ? "nothing does" : "what does: \(known)")")
            }
            if rest != nil, path.isCount {
                throw binding.unknownPath(path, "count is of the objects themselves: \(FieldPath.referencing(model, property).counted)")
            }
            if rest == nil, !path.isCount {
                throw binding.unknownPath(path, "it leads to objects; name a property of them, as in \(path.appending("…"))")
            }
            return MemberHop(direction: .sources(of: relationship), rest: rest)
        }
        return relationships(of: name).memberHop(of: path).map { MemberHop(direction: .targets(of: $0.relationship), rest: $0.rest) }
    }
}

extension [RelationshipBinding] {
    /// The relationship to many of an object with these relationships whose objects the path to an aggregate goes through, and the path from them; nil when
    /// there is none. The number of references is a value of the object itself; that of objects which refer to what they point at is not.
    func memberHop(of path: FieldPath) -> (relationship: RelationshipBinding, rest: FieldPath)? {
        guard path.aggregate != nil, !path.isCount || path.names.contains(FieldPath.referencingField),
            let relationship = first(where: { $0.name == path.field })
        else { return nil }
        let isOfAll = path.names.first == FieldPath.everyMember
        switch relationship.schema.shape {
        case .optionalOne, .requiredOne: return nil
        case .keyed where !isOfAll && path.names.first != FieldPath.referencingField: return nil
        case .ordered where !isOfAll && path.beginsWithPosition: return nil
        case .keyed, .ordered, .set: break
        }
        let names = isOfAll ? path.names.dropFirst() : path.names[...]
        guard let first = names.first else { return nil }
        return (relationship, FieldPath(field: first, names: [String](names.dropFirst()), aggregate: path.aggregate))
    }
}
