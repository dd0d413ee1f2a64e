/// The type of a property that refers to objects: ``Reference`` and ``AnyReference``, optional, in arrays, sets, and dictionaries by `String`.
public protocol RelationshipValue: Storable {
    /// The model that it points at; nil for any model.
    static var targetModel: (any Model.Type)? { get }

    /// The number of objects that it points at, and their form.
    static var shape: RelationshipShape { get }

    /// The objects it points at, in order and with repetitions.
    var targets: [AnyReference] { get }

    /// Adds an object, at the end of an ordered collection; a reference to one object is replaced.
    ///
    /// Nothing changes when it points at the object already, nor in a collection by name, where nothing tells the name.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the key is not one of the target's ids.
    mutating func insert(_ target: AnyReference) throws

    /// Removes an object from all its places. A reference that cannot be nil stays.
    mutating func remove(_ target: AnyReference)
}

/// One reference, as an element of a relationship.
public protocol ReferenceElement: Storable, Hashable {
    /// The model that it points at; nil for any.
    static var targetModel: (any Model.Type)? { get }
    /// The object that it points at.
    var target: AnyReference { get }
    /// A reference to an object.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the key is not one of the target's ids.
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

extension RelationshipValue where Self: ReferenceElement {
    public static var shape: RelationshipShape { .requiredOne }
    public var targets: [AnyReference] { [target] }
    public mutating func insert(_ target: AnyReference) throws { self = try Self(target) }
    public mutating func remove(_ target: AnyReference) {}
}

extension Reference: RelationshipValue {}
extension AnyReference: RelationshipValue {}

extension Optional: RelationshipValue where Wrapped: ReferenceElement {
    public static var targetModel: (any Model.Type)? { Wrapped.targetModel }
    public static var shape: RelationshipShape { .optionalOne }
    public var targets: [AnyReference] { map { [$0.target] } ?? [] }
    public mutating func insert(_ target: AnyReference) throws { self = try Wrapped(target) }
    public mutating func remove(_ target: AnyReference) { if self?.target == target { self = nil } }
}

extension Array: RelationshipValue where Element: ReferenceElement {
    public static var targetModel: (any Model.Type)? { Element.targetModel }
    public static var shape: RelationshipShape { .ordered }
    public var targets: [AnyReference] { map(\.target) }

    public mutating func insert(_ target: AnyReference) throws {
        let element = try Element(target)
        if !contains(element) { append(element) }
    }

    public mutating func remove(_ target: AnyReference) { removeAll { $0.target == target } }
}

extension Set: RelationshipValue where Element: ReferenceElement {
    public static var targetModel: (any Model.Type)? { Element.targetModel }
    public static var shape: RelationshipShape { .set }
    public var targets: [AnyReference] { map(\.target).sorted { $0.keyBytes.lexicographicallyPrecedes($1.keyBytes) } }
    // Of a set of AnyReference, insert and remove are those that every set has.
    @_disfavoredOverload
    public mutating func insert(_ target: AnyReference) throws { insert(try Element(target)) }
    @_disfavoredOverload
    public mutating func remove(_ target: AnyReference) { if let element = first(where: { $0.target == target }) { remove(element) } }
}

extension Dictionary: RelationshipValue where Key == String, Value: ReferenceElement {
    public static var targetModel: (any Model.Type)? { Value.targetModel }
    public static var shape: RelationshipShape { .keyed }
    public var targets: [AnyReference] { sorted { $0.key < $1.key }.map(\.value.target) }
    public mutating func insert(_ target: AnyReference) throws {}
    public mutating func remove(_ target: AnyReference) { self = filter { $0.value.target != target } }
}

/// The type of a property that refers to objects of one model: ``Reference``, optional, in arrays, sets, and dictionaries by `String`.
public protocol ReferenceCollection: RelationshipValue {
    /// The model that they point at.
    associatedtype Target: Model

    /// The references, in order and with repetitions.
    var references: [Reference<Target>] { get }
}

/// The protocol of ``Reference``, by which collections of references are extended.
public protocol TypedReference: ReferenceElement {
    /// The model that it points at.
    associatedtype Target: Model
    /// The reference itself.
    var reference: Reference<Target> { get }
}

extension Reference: TypedReference {
    public var reference: Reference<Target> { self }
}

extension Reference: ReferenceCollection {
    public var references: [Reference<Target>] { [self] }
}

extension Optional: ReferenceCollection where Wrapped: TypedReference {
    public typealias Target = Wrapped.Target
    public var references: [Reference<Wrapped.Target>] { map { [$0.reference] } ?? [] }
}

extension Array: ReferenceCollection where Element: TypedReference {
    public typealias Target = Element.Target
    public var references: [Reference<Element.Target>] { map(\.reference) }
}

extension Set: ReferenceCollection where Element: TypedReference {
    public typealias Target = Element.Target
    public var references: [Reference<Element.Target>] { map(\.reference) }
}

extension Dictionary: ReferenceCollection where Key == String, Value: TypedReference {
    public typealias Target = Value.Target
    public var references: [Reference<Value.Target>] { sorted { $0.key < $1.key }.map(\.value.reference) }
}
