/// A change of a relationship in place, while it is being made.
public struct RelationshipEdit<Value: LiveRelationship> {
    @usableFromInline let access: LiveAccess
    /// The objects, which the caller changes.
    public var value: Value
    /// References to the objects at the beginning; nil where they were held.
    @usableFromInline let shown: Value.References?

    @inlinable init(access: LiveAccess, value: Value, shown: Value.References?) {
        self.access = access
        self.value = value
        self.shown = shown
    }
}
