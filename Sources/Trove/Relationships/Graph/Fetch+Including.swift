extension Fetch {
    /// The objects of the query together with all objects on paths of references that begin at them.
    ///
    /// ```swift
    /// let graph = try store.fetch(Song.self).where { $0.year == 1959 }.including({ $0.album.label }, { $0.writers })
    /// for song in graph.roots { print(song.title, graph[song.album]?.title ?? "-", graph[song.writers].map(\.name)) }
    /// ```
    ///
    /// Whatever the number of objects, each step of a path is one request of the engine, and an object that several refer to is read once. Objects that are not
    /// stored are left out.
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
    /// The objects of the query together with all objects on paths of references that begin at them.
    public func including<each Target: Model>(
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
        _ draft: QueryDraft, _ loads: [(inout GraphObjects, [Object], ReadTransaction) throws -> Void]
    ) throws -> ObjectGraph<Object> {
        let roots = try Fetch<Object, ReadTransaction>(source: self, draft: draft).all()
        var graph = GraphObjects()
        graph.insert(roots)
        for load in loads { try load(&graph, roots, self) }
        return ObjectGraph(roots: roots, objects: graph)
    }
}
