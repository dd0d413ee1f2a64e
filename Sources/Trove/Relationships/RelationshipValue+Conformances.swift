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
