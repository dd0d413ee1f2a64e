/// An ordered collection of objects that are loaded when they are used, for relationships to many objects.
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
    /// The objects that the list was given, which no context may have yet, and some that were taken out again; see ``heldObjects``.
    @usableFromInline var held: [Reference<Element>: Element] = [:]
    /// The relationship the list was read from, where objects are found.
    @usableFromInline var scope: _RelationshipScope?
    /// What is changed in the list while it is changed in place.
    @usableFromInline var changes: ListChanges<Element>?

    /// An empty list.
    public init() {}

    /// A list of these objects.
    public init(_ objects: some Sequence<Element>) {
        append(contentsOf: objects)
    }

    @usableFromInline init(references: [Reference<Element>], scope: _RelationshipScope?) {
        self.references = references
        self.scope = scope
    }

    /// The number of places in the list, also of objects that are no longer stored, or are deleted by the next save. Nothing is loaded.
    public var count: Int { references.count }

    /// Whether the list is empty.
    public var isEmpty: Bool { references.isEmpty }

    /// The object at a position; nil when it is no longer stored, or its deletion waits for the next save.
    ///
    /// - Precondition: The position is at least 0 and below ``count``.
    public subscript(position: Int) -> Element? {
        find(references[position])
    }

    /// The object at a position.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when it is no longer there, and what reading from the store throws.
    /// - Precondition: The position is at least 0 and below ``count``.
    public func object(at position: Int) throws -> Element {
        let reference = references[position]
        if let object = held[reference] { return object }
        guard let scope else { throw reference.isDangling }
        return try scope.resolve(reference)
    }

    /// The first object; nil when the list is empty, or when the object is no longer stored.
    public var first: Element? { references.first.flatMap(find) }

    /// The last object; nil when the list is empty, or when the object is no longer stored.
    public var last: Element? { references.last.flatMap(find) }

    /// Whether the object is in the list. Nothing is loaded; it takes time in proportion to the list's length.
    public func contains(_ object: Element) -> Bool {
        references.contains(Reference(object))
    }

    /// The first position of the object; nil when it is not in the list. Nothing is loaded.
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
    /// Whether both lists have the same objects in the same order.
    public static func == (left: ObjectList, right: ObjectList) -> Bool { left.references == right.references }
}

extension ObjectList: Sequence {
    /// Iterates over the objects in order and loads some hundred at a time; objects that are no longer stored are left out.
    public struct Iterator: IteratorProtocol {
        private static var batchSize: Int { 256 }

        private let list: ObjectList
        private var position = 0
        private var batch: ArraySlice<Element> = []

        init(_ list: ObjectList) {
            self.list = list
        }

        public mutating func next() -> Element? {
            while batch.isEmpty {
                if position == list.count { return nil }
                let end = Swift.min(position + Self.batchSize, list.count)
                batch = list.objects(in: position..<end)[...]
                position = end
            }
            return batch.removeFirst()
        }
    }

    public func makeIterator() -> Iterator { Iterator(self) }

    private func objects(in range: Range<Int>) -> [Element] {
        let part = references[range]
        if held.isEmpty { return scope?.objects(Array(part)) ?? [] }
        let others = part.filter { held[$0] == nil }
        let found = [Reference<Element>: Element](
            (scope?.objects(others) ?? []).map { (Reference($0), $0) }, uniquingKeysWith: { first, _ in first })
        return part.compactMap { held[$0] ?? found[$0] }
    }
}

extension ObjectList {
    /// The objects of the list that it was given, in its order, each once.
    @usableFromInline var heldObjects: [Element] {
        let added = changes?.added ?? []
        if held.isEmpty, added.isEmpty { return [] }
        var left = held
        for object in added { left[Reference(object)] = object }
        return references.compactMap { left.removeValue(forKey: $0) }
    }

    /// The same when the list was changed in place; where only objects were added they need not be looked for, and one may be there twice.
    var addedObjects: [Element] {
        guard held.isEmpty, let changes, changes.removed.isEmpty else { return heldObjects }
        return changes.added
    }

    /// What it had before it was changed in place, and has no longer.
    var releasedReferences: [Reference<Element>] { changes?.released(from: references) ?? [] }

    /// Takes out objects that the context does not accept: of those that were added in place as many as were added, from the end, since an object of the
    /// context with the same id may have been there before.
    mutating func takeOut(_ refused: Set<Reference<Element>>) {
        guard let changes else { return references.remove(refused) }
        var left: [Reference<Element>: Int] = [:]
        for object in changes.added where refused.contains(Reference(object)) { left[Reference(object), default: 0] += 1 }
        for position in references.indices.reversed() {
            let reference = references[position]
            guard let count = left[reference], count > 0 else { continue }
            left[reference] = count - 1
            references.remove(at: position)
            self.changes?.remove(reference)
        }
    }

    /// Lets go of objects that were taken out, once they are as many as the others: so it takes no time to speak of for each change.
    @usableFromInline mutating func letGoOfRemoved() {
        guard held.count > 2 * references.count else { return }
        let known = Set(references)
        held = held.filter { known.contains($0.key) }
    }
}

// Conditions ask of it what they ask of an array.
extension ObjectList: MemberCollection, CountedMembers, PositionedMembers, CollectionWithCount {
    public typealias Member = Element

    static var countPath: AnyKeyPath { \ObjectList.count }
}

extension ObjectList: LiveRelationship {
    @inlinable public static func _isEmpty(_ value: ObjectList) -> Bool { value.references.isEmpty }

    @inlinable public static func _references(to value: ObjectList) -> [Reference<Element>] { value.references }

    /// The references of `new`: a list shows all references, also those that lead nowhere.
    @inlinable public static func _keeping(
        _ old: [Reference<Element>], notIn shown: [Reference<Element>], beside new: [Reference<Element>]
    ) -> [Reference<Element>] { new }

    /// The objects that the list holds, in its order, each once; the others are in a context already.
    @inlinable public static func _objects(in value: ObjectList) -> [Element] { value.heldObjects }

    @inlinable public static func _origin(of value: ObjectList) -> (any LiveModel)? { value.scope?.owner._$model }

    /// The list without its scope, through which the owner would hold itself.
    @inlinable public static func _kept(_ value: ObjectList) -> ObjectList {
        var value = value
        value.scope = nil
        value.changes = nil
        value.letGoOfRemoved()
        return value
    }

    @inlinable public static func _value(of references: [Reference<Element>], in scope: _RelationshipScope) -> ObjectList {
        ObjectList(references: references, scope: scope)
    }
}
