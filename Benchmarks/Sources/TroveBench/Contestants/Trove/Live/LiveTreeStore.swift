import Trove

/// A tree, as live objects of one context, on any of Trove's engines.
final class LiveTreeStore: TreeStore {
    private let store: ObjectStore
    private let context: ObjectContext
    private let data: GraphData
    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Everything is inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, _ data: GraphData, syncsAfterLoad: Bool) throws {
        self.data = data
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: syncsAfterLoad ? .buffered : durability, models: LiveTree.self)
        context = ObjectContext(store)
    }

    func insertion() throws -> () throws -> Void {
        let tree = LiveTree(id: data.listID(0), name: data.listName(0))
        tree.nodes = (0..<data.count).map { LiveTreeNode(id: data.id($0), title: data.title($0), seconds: data.seconds($0)) }
        return {
            try self.context.insert(tree)
            try self.context.save()
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func deletion() throws -> () throws -> Void {
        let id = data.listID(0)
        return {
            guard let tree = try self.context.fetch(LiveTree.self, id: id) else { return }
            try self.context.delete(tree)
            try self.context.save()
        }
    }

    func count() throws -> Int { try context.fetch(LiveTree.self).count() + context.fetch(LiveTreeNode.self).count() }

    func close() throws { try store.close() }
}
