/// One group of a query's objects: the values that they share, and their aggregates.
public struct QueryGroup<Key: Sendable, Values: Sendable>: Sendable {
    /// The values that the objects share: a value, or a tuple of several.
    public let key: Key
    /// The aggregates: a value, or a tuple of several.
    public let values: Values
}

/// The objects of a query, grouped by values that they share.
///
/// ```swift
/// let artists = try store.fetch(Song.self)
///     .where { $0.year < 1965 }
///     .grouped(by: \.artist)
///     .aggregate(.count, .sum(\.seconds)) { group in group.values.0 > 10 }
/// for group in artists { print(group.key, group.values.0, group.values.1) }
/// ```
///
/// Groups come ascending by their keys, nil first. Objects without a value are a group of their own. An index on the same properties that keeps the
/// aggregates (`#Index<Song>([\.artist], aggregates: [.count])`) answers a fetch without condition from one entry a group.
public struct GroupedFetch<Object: Model, Source: ObjectSource, each Key: Storable> {
    /// The query, with the mistake in a path, if any.
    let fetch: Fetch<Object, Source>
    let paths: [FieldPath]

    /// The groups and their aggregates, in one snapshot.
    ///
    /// - Parameters:
    ///   - aggregates: what to compute of each group; of none, the groups alone are found.
    ///   - condition: which groups are wanted.
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/incomparable(model:path:reason:)`` for values without order.
    public func aggregate<each Value>(
        _ aggregates: repeat Aggregate<Object, each Value>,
        having condition: (QueryGroup<(repeat each Key), (repeat each Value)>) throws -> Bool = { _ in true }
    ) throws -> [QueryGroup<(repeat each Key), (repeat each Value)>] {
        let specifications = try AggregateSpecification.list(repeat each aggregates)
        let draft = fetch.draft.begun
        let scope = draft.reading(paths).reading(specifications.lazy.compactMap(\.path))
        let groups = try fetch.source.read(of: scope) { try $0.groups(by: paths, specifications, of: Object.self, draft) }
        var result: [QueryGroup<(repeat each Key), (repeat each Value)>] = []
        var watch = draft.watch(heedsCancellation: !(fetch.source is WriteTransaction))
        for group in groups {
            try watch.step()
            let values = try AggregateSpecification.results(group.aggregates, of: fetch.draft.query.model, repeat each aggregates)
            let typed = QueryGroup(key: try key(of: group), values: values)
            if try condition(typed) { result.append(typed) }
        }
        return result
    }

    /// The plan by which the groups and their aggregates are found.
    ///
    /// ```swift
    /// print(try store.fetch(Song.self).grouped(by: \.artist).explain(.count))
    /// ```
    ///
    /// - Parameters:
    ///   - aggregates: what is computed of each group.
    ///   - running: whether to find the groups too, so that the steps have the numbers of rows they really met.
    public func explain<each Value>(_ aggregates: repeat Aggregate<Object, each Value>, running: Bool = true) throws -> Explanation {
        let specifications = try AggregateSpecification.list(repeat each aggregates)
        return try fetch.source.read(of: fetch.draft.reading(paths).reading(specifications.lazy.compactMap(\.path))) {
            try $0.explainGroups(by: paths, specifications, of: Object.self, fetch.draft, running: running)
        }
    }

    private func key(of group: GroupedValues) throws -> (repeat each Key) {
        var next = 0
        func part<Part: Storable>(_ type: Part.Type) throws -> Part {
            defer { next += 1 }
            do {
                return try Part(converting: group.keys[next].converted(to: Part.fieldType.withoutLazy))
            } catch DecodingFault.unfit(let reason) {
                throw TroveError.decodingFailed(model: fetch.draft.query.model, field: paths[next].description, id: "a group", reason: reason)
            }
        }
        return (repeat try part((each Key).self))
    }
}

extension GroupedFetch: Sendable where Source: Sendable {}

extension Fetch {
    /// The objects, grouped by one or several properties.
    public func grouped<each Key: Storable>(
        by properties: repeat KeyPath<Object, each Key> & Sendable
    ) -> GroupedFetch<Object, Source, repeat each Key> {
        var list: [PartialKeyPath<Object> & Sendable] = []
        for property in repeat each properties { list.append(property) }
        let (fetch, paths) = naming { try list.map { try Object.path($0) } }
        return GroupedFetch(fetch: fetch, paths: paths)
    }

    /// The objects, grouped by the values that a closure names as conditions do, also nested ones and those of other objects; a missing value is nil.
    ///
    /// ```swift
    /// try store.fetch(Order.self).grouped { ($0.address.city, $0.lines[0].article) }.aggregate(.count)
    /// try store.fetch(Song.self).grouped { $0.album.artist.name }.aggregate(.count, .maximum { $0.album.year })
    /// ```
    public func grouped<each Key: Storable>(
        @ChosenFieldsBuilder byFields fields: (Fields<Object>) -> ChosenFields<repeat each Key>
    ) -> GroupedFetch<Object, Source, repeat each Key> {
        let (fetch, paths) = naming { try fields(Fields()).paths() }
        return GroupedFetch(fetch: fetch, paths: paths)
    }

    @available(
        *, unavailable,
        message: "objects are grouped by values of types that Trove stores natively: make an enum 'StorableConvertible', and group by a relationship as in 'grouped { $0.at(\"artist\", as: Reference<Artist>?.self) }'"
    )
    @_disfavoredOverload
    public func grouped<each Key>(by properties: repeat KeyPath<Object, each Key> & Sendable) -> GroupedFetch<Object, Source, Int> {
        GroupedFetch(fetch: self, paths: [])
    }

    /// The query and some paths; the mistake in one is kept in the query, which throws it when it runs.
    func naming(_ paths: () throws -> [FieldPath]) -> (Fetch, [FieldPath]) {
        var draft = draft
        var found: [FieldPath] = []
        draft.change { _ in found = try paths() }
        return (Fetch(source: source, draft: draft), found)
    }
}
