import Trove

/// A tree on any of Trove's engines.
final class TroveTreeStore: TreeStore {
    private let store: ObjectStore
    private let data: GraphData
    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Everything is inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, _ data: GraphData, syncsAfterLoad: Bool) throws {
        self.data = data
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: durability, models: Tree.self)
    }

    func insertion() throws -> () throws -> Void {
        let nodes = (0..<data.count).map { TreeNode(number: $0, data) }
        let tree = Tree(data)
        return {
            try self.store.write(self.syncsAfterLoad ? .buffered : nil) { transaction in
                try transaction.save(nodes)
                try transaction.save(tree)
            }
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func deletion() throws -> () throws -> Void {
        let id = data.listID(0)
        return { try self.store.delete(Tree.self, id: id) }
    }

    func count() throws -> Int {
        try store.read { try $0.fetch(Tree.self).count() + $0.fetch(TreeNode.self).count() }
    }

    func close() throws { try store.close() }
}
