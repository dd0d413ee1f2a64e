/// The type of a relationship property of a class: `Album?`, `[Song]`, `Set<Song>`, `[String: Person]` or `ObjectList<Song>`.
///
/// The requirements are Trove's own.
public protocol LiveRelationship: Sendable, _ModelHolding {
    /// The class of the objects.
    associatedtype Target: LiveModel
    /// The stored form of the relationship.
    associatedtype References: RelationshipValue & Equatable

    /// An empty relationship.
    static var _noReferences: References { get }

    /// Whether the relationship is empty.
    static func _isEmpty(_ value: Self) -> Bool

    /// References to the objects.
    static func _references(to value: Self) -> References

    /// The references of `earlier`, and then those of `later`.
    static func _union(_ earlier: References, _ later: References) -> References

    /// The objects, in order and with repetitions.
    static func _objects(in value: Self) -> [Target]

    /// Whether the condition holds for one of the objects.
    static func _hasObject(in value: Self, where condition: (Target) -> Bool) -> Bool

    /// The references, in order and with repetitions.
    static func _elements(of references: References) -> [Reference<Target>]

    /// Whether the reference is one of them.
    static func _contains(_ reference: Reference<Target>, in references: References) -> Bool

    /// Whether the references are an array, which has to be searched for one of them.
    static var _isOrdered: Bool { get }

    /// Adds a reference at the end, unless it is there; a reference to one object is replaced. Nothing tells the name in a dictionary, which stays.
    static func _insert(_ reference: Reference<Target>, into references: inout References)

    /// Removes references from all their places.
    static func _remove(_ gone: Set<Reference<Target>>, from references: inout References)

    /// The references of `new`, and those of `old` that are not in `shown`, near their former places.
    static func _keeping(_ old: References, notIn shown: References, beside new: References) -> References

    /// The object whose relationship was copied, when the copy has references without objects.
    static func _origin(of value: Self) -> (any LiveModel)?

    /// The value in the form that an object without a context keeps.
    static func _kept(_ value: Self) -> Self

    /// The objects that the references point at.
    static func _value(of references: References, in scope: _RelationshipScope) -> Self
}

extension LiveRelationship {
    /// False.
    @inlinable public static var _isOrdered: Bool { false }

    /// Goes through ``_objects(in:)``.
    @inlinable public static func _hasObject(in value: Self, where condition: (Target) -> Bool) -> Bool { _objects(in: value).contains(where: condition) }

    /// The value itself.
    @inlinable public static func _kept(_ value: Self) -> Self { value }

    /// None.
    @inlinable public static func _origin(of value: Self) -> (any LiveModel)? { nil }
}

/// Relationships whose references are a list.
extension LiveRelationship where References == [Reference<Target>] {
    @inlinable public static var _noReferences: [Reference<Target>] { [] }

    @inlinable public static func _union(_ earlier: [Reference<Target>], _ later: [Reference<Target>]) -> [Reference<Target>] { earlier + later }

    @inlinable public static func _contains(_ reference: Reference<Target>, in references: [Reference<Target>]) -> Bool { references.contains(reference) }

    @inlinable public static var _isOrdered: Bool { true }

    @inlinable public static func _insert(_ reference: Reference<Target>, into references: inout [Reference<Target>]) { references.append(reference) }

    @inlinable public static func _remove(_ gone: Set<Reference<Target>>, from references: inout [Reference<Target>]) {
        references.remove(gone)
    }

    @inlinable public static func _elements(of references: [Reference<Target>]) -> [Reference<Target>] { references }
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
