/// The effect on the objects that a relationship points at when the object with the relationship is deleted.
///
/// The catalogue of a store keeps the raw values of this and the next two.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// They stay. Where the relationship has an inverse, the deleted object is taken out of theirs.
    case nullify
    /// They are owned, and deleted with the object, unless another owner has them too: a relationship that cascades, of an object that stays.
    /// An owned object that a save takes out of the relationship is deleted at the end of the transaction, too, unless it has an owner by then.
    case cascade
    /// They are deleted with the object, or when they are removed from the relationship, once no relationship points at them.
    case cascadeWhenUnreferenced
    /// The object cannot be deleted while it points at objects that stay: ``TroveError/deletionDenied(model:id:blockers:)``.
    case deny
    /// They stay as they are, and so do their inverses, which then point at nothing.
    case noAction

    /// Whether objects are deleted with the last object that points at them.
    var owns: Bool { self == .cascade || self == .cascadeWhenUnreferenced }
}

/// The effect on a relationship when an object that it points at is deleted.
public enum TargetDeleteRule: String, Sendable, Hashable {
    /// The reference is removed: set to nil, or removed from each of its places in a collection. Not for a reference that cannot be nil.
    case nullify
    /// The object with the relationship is deleted too.
    case cascade
    /// The object that the relationship points at cannot be deleted while the object with the relationship stays:
    /// ``TroveError/deletionDenied(model:id:blockers:)``.
    case deny
    /// The reference stays, and points at nothing.
    case noAction
}

/// The arguments of `@Relationship` for a property.
public struct RelationshipOptions: Sendable {
    /// The effect on the objects that it points at when the object with the relationship is deleted.
    public let deleteRule: DeleteRule
    /// The effect on the relationship when an object that it points at is deleted; nil for ``TargetDeleteRule/nullify``, or, where the reference cannot be nil,
    /// ``TargetDeleteRule/deny``.
    public let targetDeleteRule: TargetDeleteRule?
    /// The relationship of the other model that is its inverse.
    public let inverse: (AnyKeyPath & Sendable)?

    /// The options that are not the usual ones.
    public init(
        deleteRule: DeleteRule = .nullify, whenTargetDeleted targetDeleteRule: TargetDeleteRule? = nil,
        inverse: (AnyKeyPath & Sendable)? = nil
    ) {
        self.deleteRule = deleteRule
        self.targetDeleteRule = targetDeleteRule
        self.inverse = inverse
    }
}

/// The relationship of a field, as its schema describes it.
public struct RelationshipSchema: Sendable {
    /// The model that it points at; nil for any model.
    public let targetModel: (any Model.Type)?
    /// The number of objects that it points at, and their form.
    public let shape: RelationshipShape
    /// The effect on the objects that it points at when the object with the relationship is deleted.
    public let deleteRule: DeleteRule
    /// The effect on the relationship when an object that it points at is deleted.
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

/// The number of objects that a relationship points at, and their form.
public enum RelationshipShape: String, Sendable, Hashable {
    /// One or none: `Reference<Album>?`.
    case optionalOne
    /// Always one: `Reference<Album>`.
    case requiredOne
    /// Many in an order, possibly with repetitions: `[Reference<Song>]`.
    case ordered
    /// Many without an order: `Set<Reference<Song>>`.
    case set
    /// Many by name: `[String: Reference<Person>]`.
    case keyed

    /// Whether it points at one object at most.
    var isToOne: Bool { self == .optionalOne || self == .requiredOne }
}
