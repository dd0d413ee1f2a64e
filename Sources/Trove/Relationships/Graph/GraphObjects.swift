/// The objects of a graph, by their models and ids.
struct GraphObjects: Sendable {
    /// By the model: a dictionary of its objects by id.
    private var tables: [ObjectIdentifier: any Sendable] = [:]

    func table<Object: Model>(of type: Object.Type = Object.self) -> [Object.ID: Object] {
        tables[ObjectIdentifier(type)] as? [Object.ID: Object] ?? [:]
    }

    mutating func insert<Object: Model>(_ objects: [Object]) {
        var table = table(of: Object.self)
        // Taken out, so that there is one owner and nothing is copied.
        tables[ObjectIdentifier(Object.self)] = nil
        for object in objects { table[object.id] = object }
        tables[ObjectIdentifier(Object.self)] = table
    }

    /// The objects of references, each once: those that are not here yet are read in one go.
    mutating func load<Object: Model>(_ references: [Reference<Object>], _ transaction: ReadTransaction) throws -> [Object] {
        let known = table(of: Object.self)
        var seen: Set<Object.ID> = []
        let ids = references.map(\.id).filter { seen.insert($0).inserted }
        let missing = ids.filter { known[$0] == nil }
        if !missing.isEmpty { insert(try transaction.fetch(Object.self, ids: missing)) }
        let table = table(of: Object.self)
        return ids.compactMap { table[$0] }
    }
}
