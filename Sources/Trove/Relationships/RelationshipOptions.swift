/// What `@Relationship` says of a property.
public struct RelationshipOptions: Sendable {
    /// What becomes of the objects it points at when the object that has it is deleted.
    public let deleteRule: DeleteRule
    /// What becomes of it when an object it points at is deleted; nil for ``TargetDeleteRule/nullify``, or, where the reference cannot be
    /// nil, ``TargetDeleteRule/deny``.
    public let targetDeleteRule: TargetDeleteRule?
    /// The relationship of the other model that says the same the other way round.
    public let inverse: (AnyKeyPath & Sendable)?

    public init(
        deleteRule: DeleteRule = .nullify, whenTargetDeleted targetDeleteRule: TargetDeleteRule? = nil,
        inverse: (AnyKeyPath & Sendable)? = nil
    ) {
        self.deleteRule = deleteRule
        self.targetDeleteRule = targetDeleteRule
        self.inverse = inverse
    }
}
