/// A field that refers to objects, as its schema tells it.
public struct RelationshipSchema: Sendable {
    /// The model it points at; nil when it may be any.
    public let targetModel: (any Model.Type)?
    /// How many objects it points at, and in what form.
    public let shape: RelationshipShape
    /// What becomes of the objects it points at when the object that has it is deleted.
    public let deleteRule: DeleteRule
    /// What becomes of it when an object it points at is deleted.
    public let targetDeleteRule: TargetDeleteRule
    /// The property of the other model that says the same the other way round.
    let inverse: (AnyKeyPath & Sendable)?
    /// The type of the field's values.
    let valueType: any RelationshipValue.Type

    init(_ type: any RelationshipValue.Type, _ options: RelationshipOptions) {
        targetModel = type.targetModel
        shape = type.shape
        deleteRule = options.deleteRule
        targetDeleteRule = options.targetDeleteRule ?? (type.shape == .requiredOne ? .deny : .nullify)
        inverse = options.inverse
        valueType = type
    }
}
