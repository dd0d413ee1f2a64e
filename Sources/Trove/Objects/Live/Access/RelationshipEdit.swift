/// A change of a relationship in place, while it is being made.
public struct RelationshipEdit<Value: LiveRelationship> {
    let access: LiveAccess
    /// The objects, which the caller changes.
    public var value: Value
    /// References to the objects at the beginning; nil where they were held.
    let shown: Value.References?
}
