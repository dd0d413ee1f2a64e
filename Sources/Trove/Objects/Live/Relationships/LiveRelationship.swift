/// The type of a relationship property of a class: `Album?`, `[Song]`, `Set<Song>`, `[String: Person]` or `ObjectList<Song>`.
///
/// The requirements are Trove's own.
public protocol LiveRelationship: Sendable {
    associatedtype Target: LiveModel
    /// What is stored.
    associatedtype References: RelationshipValue & Equatable

    /// References to nothing.
    static var _noReferences: References { get }

    /// Whether it refers to nothing.
    static func _isEmpty(_ value: Self) -> Bool

    /// References to the objects.
    static func _references(to value: Self) -> References

    /// What `later` has beside what `earlier` has.
    static func _union(_ earlier: References, _ later: References) -> References

    /// The objects, in order and with repetitions.
    static func _objects(in value: Self) -> [Target]

    /// The references, in order and with repetitions.
    static func _elements(of references: References) -> [Reference<Target>]

    /// Whether the reference is among them.
    static func _contains(_ reference: Reference<Target>, in references: References) -> Bool

    /// Whether the references are an array, in which one has to be searched for.
    static var _isOrdered: Bool { get }

    /// Adds a reference that is not there, at the end; one to one object is replaced. Nothing tells the name in a dictionary, which stays.
    static func _insert(_ reference: Reference<Target>, into references: inout References)

    /// Takes references out, in all their places.
    static func _remove(_ gone: Set<Reference<Target>>, from references: inout References)

    /// The references of `new` and those of `old` that are not in `shown`, about where they were.
    static func _keeping(_ old: References, notIn shown: References, beside new: References) -> References

    /// The object whose relationship this is a copy of, when it has references to objects it does not have.
    static func _origin(of value: Self) -> (any LiveModel)?

    /// The value as an object in no context keeps it.
    static func _kept(_ value: Self) -> Self

    /// The objects that are referred to.
    static func _value(of references: References, in scope: _RelationshipScope) -> Self
}

extension LiveRelationship {
    /// False.
    @inlinable public static var _isOrdered: Bool { false }

    /// The value itself.
    @inlinable public static func _kept(_ value: Self) -> Self { value }

    /// None.
    @inlinable public static func _origin(of value: Self) -> (any LiveModel)? { nil }
}

extension Array {
    /// Takes references out, in all their places.
    @inlinable mutating func remove<Target>(_ gone: Set<Element>) where Element == Reference<Target> {
        // Most often it is one, which takes less time to compare with than to look up.
        if gone.count == 1, let only = gone.first {
            removeAll { $0 == only }
        } else {
            removeAll { gone.contains($0) }
        }
    }
}
