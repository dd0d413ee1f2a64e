/// The type of a relationship property of a class: `Album?`, `[Song]`, `Set<Song>`, `[String: Person]` or `ObjectList<Song>`.
///
/// The requirements are Trove's own.
public protocol LiveRelationship: Sendable {
    associatedtype Target: LiveModel
    /// What is stored.
    associatedtype References: RelationshipValue & Equatable

    /// References to nothing.
    static var _noReferences: References { get }

    /// References to the objects.
    static func _references(to value: Self) -> References

    /// What `later` has beside what `earlier` has.
    static func _union(_ earlier: References, _ later: References) -> References

    /// The objects, in order and with repetitions.
    static func _objects(in value: Self) -> [Target]

    /// The objects that are referred to.
    static func _value(of references: References, in scope: RelationshipScope) -> Self
}
