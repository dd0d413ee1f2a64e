/// Where a path goes through a reference: the path to the reference, and the path from what it points at.
struct ReferenceHop {
    /// How many references a path may go through, one after the other and one inside the other.
    static let maxHops = 32

    let path: FieldPath
    let relationship: RelationshipBinding
    /// The path to the reference.
    let reference: FieldPath
    /// The path from the object that it points at.
    let rest: FieldPath

    /// Whether the path, or that of the members of its aggregate, leads to no more than the id, which the reference is.
    var isOfID: Bool {
        let rest = rest.unaggregated
        return rest == .id || rest == .documentID && relationship.target?.fieldPlace(of: rest) == nil
    }

    /// The path to the reference when the whole path leads to no more than the id; nil for an aggregate, which one reference has none of.
    var ownPath: FieldPath? { path.aggregate == nil && isOfID ? reference : nil }

    /// - Parameter count: how many of the path's names lead to the reference; nil when no more names follow.
    init?(_ path: FieldPath, at count: Int, _ relationship: RelationshipBinding) {
        guard path.names.count > count else { return nil }
        self.path = path
        self.relationship = relationship
        reference = FieldPath(field: path.field, names: Array(path.names[..<count]))
        rest = FieldPath(field: path.names[count], names: Array(path.names[(count + 1)...]), aggregate: path.aggregate)
    }

    /// The name of the model that the reference points at.
    ///
    /// - Parameter hops: how many references the path has gone through before this one.
    /// - Throws: ``TroveError/unknownPath(model:path:reason:)`` when it may be any; ``TroveError/invalidQuery(reason:)`` beyond ``maxHops``.
    func target(behind hops: Int) throws -> String {
        guard hops < Self.maxHops else { throw TroveError.invalidQuery(reason: "a path has more than \(Self.maxHops) references") }
        guard let target = relationship.target?.schema.name else {
            throw relationship.model.unknownPath(path, "'\(reference)' may point at objects of any model, so their fields are unknown")
        }
        return target
    }
}

extension [RelationshipBinding] {
    /// Where a path from an object with these relationships goes through a reference; nil when it does not.
    func hop(of path: FieldPath) -> ReferenceHop? {
        guard !path.names.isEmpty, let relationship = first(where: { $0.name == path.field }) else { return nil }
        switch relationship.schema.shape {
        case .optionalOne, .requiredOne: return ReferenceHop(path, at: 0, relationship)
        case .keyed where path.aggregate != nil && [FieldPath.everyMember, FieldPath.referencingField].contains(path.names[0]): return nil
        case .keyed: return ReferenceHop(path, at: 1, relationship)
        case .ordered where path.beginsWithPosition: return ReferenceHop(path, at: 1, relationship)
        case .ordered, .set: return nil
        }
    }
}
