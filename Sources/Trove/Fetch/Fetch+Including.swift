extension Fetch {
    /// The objects of the query, and all objects on paths of references from them.
    ///
    /// ```swift
    /// let graph = try store.fetch(Song.self).where { $0.year == 1959 }.including({ $0.album.label }, { $0.writers })
    /// for song in graph.roots { print(song.title, graph[song.album]?.title ?? "-", graph[song.writers].map(\.name)) }
    /// ```
    ///
    /// Whatever the number of objects, each step of a path is one request of the engine, and an object that several refer to is read once. Objects that are not
    /// stored are left out. It is for structs: of live objects ``ObjectContext/load(_:of:)`` loads relationships.
    ///
    /// - Throws: what ``all()`` throws; what reading the objects on the paths throws.
    public func including<each Target: Model>(
        _ path: repeat (ReferencePath<Object, Object>) -> ReferencePath<Object, each Target>
    ) throws -> ObjectGraph<Object> {
        var loads: [@Sendable (inout GraphObjects, [Object], ReadTransaction) throws -> Void] = []
        repeat loads.append(Self.loading((each path)(ReferencePath())))
        return try source.read { try $0.graph(draft, loads) }
    }

    fileprivate static func loading<Target: Model>(
        _ path: ReferencePath<Object, Target>
    ) -> @Sendable (inout GraphObjects, [Object], ReadTransaction) throws -> Void {
        { graph, roots, transaction in _ = try path.load(&graph, roots, transaction) }
    }
}

extension Fetch where Source == ObjectStore {
    /// The objects of the query, and all objects on paths of references from them.
    // The paths are made where the caller is, so that the closures of one on an actor need not leave it.
    nonisolated(nonsending) public func including<each Target: Model>(
        _ path: repeat (ReferencePath<Object, Object>) -> ReferencePath<Object, each Target>
    ) async throws -> ObjectGraph<Object> {
        var loads: [@Sendable (inout GraphObjects, [Object], ReadTransaction) throws -> Void] = []
        repeat loads.append(Self.loading((each path)(ReferencePath())))
        let (draft, paths) = (draft, loads)
        return try await source.read { try $0.graph(draft, paths) }
    }
}

extension ReadTransaction {
    fileprivate func graph<Object: Model>(
        _ draft: QueryDraft, _ loads: [@Sendable (inout GraphObjects, [Object], ReadTransaction) throws -> Void]
    ) throws -> ObjectGraph<Object> {
        let roots = try Fetch<Object, ReadTransaction>(source: self, draft: draft).all()
        var graph = GraphObjects()
        graph.insert(roots)
        for load in loads { try load(&graph, roots, self) }
        return ObjectGraph(roots: roots, objects: graph)
    }
}

/// A path along references from object to object, as the closures of ``Fetch/including(_:)`` write it: `$0.songs.album`.
///
/// A collection's path goes on from each of its members.
@dynamicMemberLookup
public struct ReferencePath<Root: Model, Target: Model>: Sendable {
    /// Reads the objects on the way from those that are in the graph, and returns those at its end.
    let load: @Sendable (inout GraphObjects, [Root], ReadTransaction) throws -> [Target]

    /// The objects that a relationship of these objects points at.
    public subscript<Value: ReferenceCollection>(dynamicMember property: KeyPath<Target, Value> & Sendable) -> ReferencePath<Root, Value.Target> {
        let load = load
        return ReferencePath<Root, Value.Target> { graph, roots, transaction in
            let references = try load(&graph, roots, transaction).flatMap { $0[keyPath: property].references }
            return try graph.load(references, transaction)
        }
    }
}

extension ReferencePath where Root == Target {
    /// The path that has no steps yet.
    init() {
        load = { _, roots, _ in roots }
    }
}
