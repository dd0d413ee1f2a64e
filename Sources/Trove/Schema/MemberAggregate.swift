/// What a path computes of the members of a collection: `count(tags)`, `sum(songs.duration)`.
///
/// ```swift
/// store.fetch(Album.self).sorted(using: [SortKey(FieldPath("songs.duration").aggregated(.sum), .descending)])
/// ```
///
/// In closures the functions of ``Field`` say it: `$0.songs.sum(\.duration)`. Members that are nil, and objects that are not stored, take no part; the id in a
/// reference to one does, as in `maximum(songs.album.id)`. Over no members at all a count and a sum are 0, the others nil; where there is no collection all of
/// them are nil.
public enum MemberAggregate: String, Sendable, Hashable, CaseIterable {
    /// The number of elements, of pairs of a dictionary, or of objects.
    case count
    /// The sum of numbers, exact for integers and decimals; it throws ``TroveError/sumOverflow(model:path:)`` when its type does not hold it.
    case sum
    /// The average of numbers, a `Double`.
    case average
    /// The least value, in sort order.
    case minimum
    /// The greatest value, in sort order.
    case maximum

    /// The aggregate with this name, in any case, or with one that databases have for it: `avg`, `min`, `max`.
    package init?(called name: String) {
        switch name.lowercased() {
        case "avg": self = .average
        case "min": self = .minimum
        case "max": self = .maximum
        case let name: self.init(rawValue: name)
        }
    }
}

/// A collection whose `count` a key path of a query may name; each type writes it itself, as a program does.
protocol CollectionWithCount {
    /// The key path of `count`.
    static var countPath: AnyKeyPath { get }
}

extension Array: CollectionWithCount {
    static var countPath: AnyKeyPath { \Array.count }
}

extension Set: CollectionWithCount {
    static var countPath: AnyKeyPath { \Set.count }
}

extension Dictionary: CollectionWithCount {
    static var countPath: AnyKeyPath { \Dictionary.count }
}

extension FieldPath {
    /// The path to the number of elements of the collection that this one leads to, or of pairs of a dictionary: `count(tags)` in criteria text.
    ///
    /// It leads to nil where there is no collection. Conditions, sorts, selections, aggregates and groups may have it, and indexes may not.
    public var counted: FieldPath { aggregated(.count) }

    /// The path to an aggregate of the values that this one leads to: `sum(songs.duration)` in criteria text.
    ///
    /// The path goes through all members of the lists on its way, those that it names no position of, and through all objects that a relationship to many
    /// points at. Of a dictionary the name `*` stands for all values: `sum(roles.*.fee)`; where the path ends at one, all are meant. Conditions, sorts,
    /// selections, aggregates and groups may have it, and indexes may not.
    ///
    /// A query with it throws ``TroveError/unknownPath(model:path:reason:)`` when there is no collection on the way, and
    /// ``TroveError/incomparable(model:path:reason:)`` for a sum or average of what is no number.
    public func aggregated(_ aggregate: MemberAggregate) -> FieldPath { FieldPath(field: field, names: names, aggregate: aggregate) }

    /// The path to the objects of a model that point at the object with one of their properties, for an aggregate of them:
    /// `count($referencing.Song.album)` in criteria text.
    ///
    /// ```swift
    /// let songs = FieldPath.referencing("Song", "album")
    /// store.fetch(Album.self).sorted(using: [SortKey(songs.counted, .descending), SortKey(songs.appending("duration").aggregated(.sum))])
    /// ```
    public static func referencing(_ model: String, _ property: String) -> FieldPath {
        FieldPath(field: referencingField, names: [model, property])
    }

    /// Stands for a field at the beginning of a path to objects that refer to the one there.
    static let referencingField = "$referencing"

    /// The name that stands for all members of a collection, in a path to an aggregate.
    static let everyMember = "*"

    /// The path without its aggregate.
    package var unaggregated: FieldPath { FieldPath(field: field, names: names) }

    /// Whether the path leads to the whole value of a field.
    var isOfWholeField: Bool { names.isEmpty && aggregate == nil }

    /// Whether the path leads to the number of elements of the collection there, and not to the collection: `count(tags)`; see ``counted``.
    public var isCount: Bool { aggregate == .count }

    /// Where an aggregate is of objects that refer to the object: their model, the property, and the path from them; nil when it is of something else.
    var sources: (model: String, property: String, rest: FieldPath?)? {
        guard aggregate != nil, field == Self.referencingField, names.count > 1 else { return nil }
        let rest = names.count > 2 ? FieldPath(field: names[2], names: Array(names[3...]), aggregate: aggregate) : nil
        return (names[0], names[1], rest)
    }
}
