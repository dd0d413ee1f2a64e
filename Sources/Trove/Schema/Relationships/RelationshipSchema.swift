/// What becomes of the objects that a relationship points at when the object that has the relationship is deleted.
///
/// The catalogue of a store keeps the raw values of this and the next two.
public enum DeleteRule: String, Sendable, Hashable {
    /// They stay. Where the relationship has an inverse, the deleted object is taken out of theirs.
    case nullify
    /// They are owned, and deleted with it, unless another owner has them too: a relationship that cascades, of an object that stays.
    /// An owned object that a save takes out of the relationship is deleted at the end of the transaction, too, unless it has an owner by then.
    case cascade
    /// They are deleted with it, or when they are taken out of the relationship, once no relationship of any kind points at them.
    case cascadeWhenUnreferenced
    /// It cannot be deleted while it points at objects that stay: ``TroveError/deletionDenied(model:id:blockers:)``.
    case deny
    /// They are left as they are, also their inverses, which then point at nothing.
    case noAction

    /// Whether objects are deleted with the last that points at them.
    var owns: Bool { self == .cascade || self == .cascadeWhenUnreferenced }
}

/// What becomes of a relationship when an object it points at is deleted.
public enum TargetDeleteRule: String, Sendable, Hashable {
    /// The reference is taken out: set to nil, or removed from each of its places in a collection. Not for a reference that cannot be nil.
    case nullify
    /// The object that has the relationship is deleted too.
    case cascade
    /// The object it points at cannot be deleted while the object that has the relationship stays: ``TroveError/deletionDenied(model:id:blockers:)``.
    case deny
    /// The reference stays, and points at nothing.
    case noAction
}

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

/// How many objects a relationship points at, and in what form.
public enum RelationshipShape: String, Sendable, Hashable {
    /// One or none: `Reference<Album>?`.
    case optionalOne
    /// Always one: `Reference<Album>`.
    case requiredOne
    /// Many in an order, of which some may be there several times: `[Reference<Song>]`.
    case ordered
    /// Many without an order: `Set<Reference<Song>>`.
    case set
    /// Many by name: `[String: Reference<Person>]`.
    case keyed

    /// Whether it points at one object at most.
    var isToOne: Bool { self == .optionalOne || self == .requiredOne }
}
