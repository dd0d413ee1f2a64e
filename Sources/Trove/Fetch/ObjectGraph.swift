/// The objects of a graph, by their models and ids.
struct GraphObjects: Sendable {
    /// By the model: its objects by what points at them.
    private var tables: [ObjectIdentifier: any Sendable] = [:]

    func table<Object: Model>(of type: Object.Type = Object.self) -> [Reference<Object>: Object] {
        tables[ObjectIdentifier(type)] as? [Reference<Object>: Object] ?? [:]
    }

    mutating func insert<Object: Model>(_ objects: [Object]) {
        var table = table(of: Object.self)
        // Taken out, so that there is one owner and nothing is copied.
        tables[ObjectIdentifier(Object.self)] = nil
        for object in objects { table[Reference(object)] = object }
        tables[ObjectIdentifier(Object.self)] = table
    }

    /// The objects of references, each once: those that are not here yet are read in one go.
    mutating func load<Object: Model>(_ references: [Reference<Object>], _ transaction: ReadTransaction) throws -> [Object] {
        let known = table(of: Object.self)
        var seen: Set<Reference<Object>> = []
        let references = references.filter { seen.insert($0).inserted }
        let missing = references.filter { known[$0] == nil }
        if !missing.isEmpty { insert(try transaction.fetch(Object.self, ids: missing.map(\.id))) }
        let table = table(of: Object.self)
        return references.compactMap { table[$0] }
    }
}

/// The results of a query and the objects they refer to, read in one snapshot; see ``Fetch/including(_:)``.
///
/// ```swift
/// let graph = try store.fetch(Playlist.self).including { $0.songs.album }
/// for playlist in graph.roots {
///     for song in graph[playlist.songs] { print(song.title, graph[song.album]?.title ?? "-") }
/// }
/// ```
///
/// It is a value: later changes of the store do not show in it. What is asked for and was not read, because it lies on none of the paths or is not stored,
/// is nil, or left out of a collection.
public struct ObjectGraph<Root: Model>: Sendable {
    /// The results of the query, in its order.
    public let roots: [Root]
    private let objects: GraphObjects

    init(roots: [Root], objects: GraphObjects) {
        self.roots = roots
        self.objects = objects
    }

    /// The object that a reference points at.
    public subscript<Target: Model>(_ reference: Reference<Target>) -> Target? {
        objects.table()[reference]
    }

    /// The object that a reference points at; nil when the reference is nil.
    public subscript<Target: Model>(_ reference: Reference<Target>?) -> Target? {
        reference.flatMap { self[$0] }
    }

    /// The objects that references point at, in the order of the references and with repetitions.
    public subscript<Target: Model>(_ references: some Sequence<Reference<Target>>) -> [Target] {
        let table = objects.table(of: Target.self)
        return references.compactMap { table[$0] }
    }

    /// The objects that references point at, by the names of the references.
    public subscript<Target: Model>(_ references: [String: Reference<Target>]) -> [String: Target] {
        let table = objects.table(of: Target.self)
        return references.compactMapValues { table[$0] }
    }

    /// All objects of a model in the graph, in no order.
    public func objects<Target: Model>(of type: Target.Type) -> [Target] {
        Array(objects.table(of: type).values)
    }
}
