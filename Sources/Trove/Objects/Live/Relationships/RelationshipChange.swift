/// A change of one side of a relationship that the change of the other side asks for.
public enum RelationshipChange: Sendable {
    /// It points at this object too, at the end; a reference to one points at this one from now on.
    case insert(AnyReference)
    /// It no longer points at this object.
    case remove(AnyReference)
    /// It no longer points at any of these objects.
    case removeAll(Set<AnyReference>)

    /// Makes the change in the references of a relationship.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the reference is not one to the relationship's model.
    @inlinable
    public func apply<Value: LiveRelationship>(to relationship: inout RelationshipStorage<Value>) throws {
        switch self {
        case .insert(let target): relationship.insert(try Reference(target))
        case .remove(let target): relationship.remove([try Reference(target)])
        case .removeAll(let targets): relationship.remove(Set(try targets.map { try Reference($0) }))
        }
    }

    /// Makes the change in a relationship that is a property of references.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the reference is not one to the relationship's model.
    @inlinable
    public func apply<Value: RelationshipValue>(to relationship: inout Value) throws {
        switch self {
        case .insert(let target): try relationship.insert(target)
        case .remove(let target): relationship.remove(target)
        case .removeAll(let targets): for target in targets { relationship.remove(target) }
        }
    }

    /// Whether it would change a relationship that is a property of references.
    @inlinable
    public func isNeeded<Value: RelationshipValue>(in relationship: Value) -> Bool {
        switch self {
        case .insert(let target): !relationship.targets.contains(target)
        case .remove(let target): relationship.targets.contains(target)
        case .removeAll(let targets): relationship.targets.contains { targets.contains($0) }
        }
    }

    /// Whether it would change the references of a relationship.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the reference is not one to the relationship's model.
    @inlinable
    public func isNeeded<Value: LiveRelationship>(in relationship: RelationshipStorage<Value>) throws -> Bool {
        switch self {
        case .insert(let target): !relationship.contains(try Reference(target))
        case .remove(let target): relationship.contains(try Reference(target))
        case .removeAll(let targets): try targets.contains { relationship.contains(try Reference($0)) }
        }
    }
}
