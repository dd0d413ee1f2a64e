/// The type of a property that refers to objects of one model: ``Reference``, optional, in arrays, sets, and dictionaries by `String`.
public protocol ReferenceCollection: RelationshipValue {
    associatedtype Target: Model

    /// The references, in order and with repetitions.
    var references: [Reference<Target>] { get }
}

/// A ``Reference``, told as a protocol so that collections of them can be extended.
public protocol TypedReference: ReferenceElement {
    associatedtype Target: Model
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
