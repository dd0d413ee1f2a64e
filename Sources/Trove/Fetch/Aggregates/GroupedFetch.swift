/// The objects of a query that have some values in common, and what was computed of them.
public struct QueryGroup<Key: Sendable, Values: Sendable>: Sendable {
    /// What the objects have in common: a value, or a tuple of several.
    public let key: Key
    /// The aggregates: a value, or a tuple of several.
    public let values: Values
}

/// The objects of a query by what they have in common.
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
    let fetch: Fetch<Object, Source>
    let properties: [PartialKeyPath<Object> & Sendable]

    /// The groups with their aggregates, in one snapshot.
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
        let paths = try properties.map { try Object.path($0) }
        let groups = try fetch.source.read(of: fetch.draft) { try $0.groups(by: paths, specifications, of: Object.self, fetch.draft) }
        var result: [QueryGroup<(repeat each Key), (repeat each Value)>] = []
        for group in groups {
            let typed = QueryGroup(key: try key(of: group), values: try Self.values(of: group, repeat each aggregates))
            if try condition(typed) { result.append(typed) }
        }
        return result
    }

    /// How the groups and their aggregates are found.
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
        let paths = try properties.map { try Object.path($0) }
        return try fetch.source.read(of: fetch.draft) {
            try $0.explainGroups(by: paths, specifications, of: Object.self, fetch.draft, running: running)
        }
    }

    private func key(of group: GroupedValues) throws -> (repeat each Key) {
        var next = 0
        func part<Part: Storable>(_ type: Part.Type) throws -> Part {
            defer { next += 1 }
            do {
                return try Part(converting: group.keys[next].converted(to: Part.fieldType))
            } catch DecodingFault.unfit(let reason) {
                let path = try Object.path(properties[next]).description
                throw TroveError.decodingFailed(model: Object.schema.name, field: path, id: "a group", reason: reason)
            }
        }
        return (repeat try part((each Key).self))
    }

    private static func values<each Value>(
        of group: GroupedValues, _ aggregates: repeat Aggregate<Object, each Value>
    ) throws -> (repeat each Value) {
        var next = 0
        func finish<Result>(_ aggregate: Aggregate<Object, Result>) throws -> Result {
            defer { next += 1 }
            return try aggregate.result(group.aggregates[next], of: Object.schema.name)
        }
        return (repeat try finish(each aggregates))
    }
}

extension GroupedFetch: Sendable where Source: Sendable {}

extension Fetch {
    /// The objects by their values of one or several properties.
    public func grouped<each Key: Storable>(
        by properties: repeat KeyPath<Object, each Key> & Sendable
    ) -> GroupedFetch<Object, Source, repeat each Key> {
        var list: [PartialKeyPath<Object> & Sendable] = []
        for property in repeat each properties { list.append(property) }
        return GroupedFetch(fetch: self, properties: list)
    }
}
