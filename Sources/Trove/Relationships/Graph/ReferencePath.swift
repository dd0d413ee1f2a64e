/// A way from object to object along references, as the closures of ``Fetch/including(_:)-swift.method`` write it: `$0.songs.album`.
///
/// A collection's path goes on from each of its members.
@dynamicMemberLookup
public struct ReferencePath<Root: Model, Target: Model>: Sendable {
    /// Reads the objects on the way from those that are in the graph, and returns those at its end.
    let load: @Sendable (inout GraphObjects, [Root], ReadTransaction) throws -> [Target]

    /// The objects that a relationship of these points at.
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
