/// An ordered collection of objects that are found when they are asked for, for relationships to many objects.
///
/// ```swift
/// @Model
/// final class Playlist {
///     @Relationship var songs: ObjectList<Song>
/// }
///
/// playlist.songs.append(song)                   // loads nothing
/// playlist.songs.move(from: 0, to: 10)
/// let count = playlist.songs.count
/// for song in playlist.songs.prefix(20) { … }   // loads in batches
/// ```
///
/// An array of objects, `[Song]`, is simpler, and loads all of them whenever it is read or changed. A list is a value like an array: a
/// copy does not change with the property it was read from. An object may be in it several times.
///
/// A list is stored as an array of references; a property can be changed from one into the other.
public struct ObjectList<Element: LiveModel>: Sendable {
    /// References to the objects, in order.
    public internal(set) var references: [Reference<Element>] = []
    /// The objects that the list was given, which no context may have yet.
    @usableFromInline var held: [Reference<Element>: Element] = [:]
    /// The relationship the list was read from, where objects are found.
    @usableFromInline var scope: RelationshipScope?
    /// What is changed in the list while it is changed in place.
    @usableFromInline var changes: ListChanges<Element>?

    /// An empty list.
    public init() {}

    /// A list of these objects.
    public init(_ objects: some Sequence<Element>) {
        append(contentsOf: objects)
    }

    @usableFromInline init(references: [Reference<Element>], scope: RelationshipScope?) {
        self.references = references
        self.scope = scope
    }

    /// How many places the list has, objects that are no longer there included. Nothing is loaded.
    public var count: Int { references.count }

    /// Whether the list has no places.
    public var isEmpty: Bool { references.isEmpty }

    /// The object at a place; nil when it is no longer there.
    ///
    /// - Precondition: The position is at least 0 and below ``count``.
    public subscript(position: Int) -> Element? {
        find(references[position])
    }

    /// The object at a place.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when it is no longer there, and what reading from the store throws.
    /// - Precondition: The position is at least 0 and below ``count``.
    public func object(at position: Int) throws -> Element {
        let reference = references[position]
        if let object = held[reference] { return object }
        guard let scope else { throw reference.isDangling }
        return try scope.resolve(reference)
    }

    /// The first object; nil when the list is empty, or the object is no longer there.
    public var first: Element? { references.first.flatMap(find) }

    /// The last object; nil when the list is empty, or the object is no longer there.
    public var last: Element? { references.last.flatMap(find) }

    /// Whether the object is in the list. Nothing is loaded; it takes time in proportion to the list's length.
    public func contains(_ object: Element) -> Bool {
        references.contains(Reference(object))
    }

    /// The first place of the object; nil when it is not in the list. Nothing is loaded.
    public func firstIndex(of object: Element) -> Int? {
        references.firstIndex(of: Reference(object))
    }

    private func find(_ reference: Reference<Element>) -> Element? {
        held[reference] ?? scope?.object(reference)
    }
}

extension ObjectList: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension ObjectList: Equatable {
    /// Whether the two have the same objects in the same order.
    public static func == (left: ObjectList, right: ObjectList) -> Bool { left.references == right.references }
}
