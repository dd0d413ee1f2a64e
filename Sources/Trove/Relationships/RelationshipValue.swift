/// The type of a property that refers to objects: ``Reference`` and ``AnyReference``, optional, in arrays, sets, and dictionaries by `String`.
public protocol RelationshipValue: Storable {
    /// The model it points at; nil when it may be any.
    static var targetModel: (any Model.Type)? { get }

    /// How many objects it points at, and in what form.
    static var shape: RelationshipShape { get }

    /// The objects it points at, in order and with repetitions.
    var targets: [AnyReference] { get }

    /// Lets it point at an object too, at the end of an ordered collection; a reference to one then points at this one.
    ///
    /// Nothing changes when it points at the object already, nor in a collection by name, where nothing tells the name.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the key is not one of the target's ids.
    mutating func insert(_ target: AnyReference) throws

    /// Takes the object out, in all its places. A reference that cannot be nil stays.
    mutating func remove(_ target: AnyReference)
}

/// One reference, as an element of a relationship.
public protocol ReferenceElement: Storable, Hashable {
    static var targetModel: (any Model.Type)? { get }
    var target: AnyReference { get }
    init(_ target: AnyReference) throws
}

extension Reference: ReferenceElement {
    public static var targetModel: (any Model.Type)? { Target.self }

    @inlinable public var target: AnyReference { AnyReference(self) }

    @inlinable public init(_ target: AnyReference) throws {
        self.init(id: try Target.ID(keyBytes: target.keyBytes))
    }
}

extension AnyReference: ReferenceElement {
    public static var targetModel: (any Model.Type)? { nil }

    public var target: AnyReference { self }

    public init(_ target: AnyReference) throws {
        self = target
    }
}
