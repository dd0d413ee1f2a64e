import GRDB

/// A tree through GRDB's record protocols, or through SQL statements that it keeps prepared.
final class GRDBTreeStore: TreeStore {
    private let pool: DatabasePool
    private let data: GraphData
    private let usesStatements: Bool

    init(path: String, _ place: StorePlace, _ data: GraphData, usesStatements: Bool) throws {
        self.data = data
        self.usesStatements = usesStatements
        pool = try GRDBGraphs.openTree(path: path, place)
    }

    func insertion() throws -> () throws -> Void {
        let tree = GRDBTree(id: 1, name: data.listName(0))
        let nodes = (0..<data.count).map { GRDBTreeNode(number: $0, data) }
        let usesStatements = usesStatements
        return {
            try self.pool.write { db in
                try tree.insert(db)
                guard usesStatements else {
                    for node in nodes { try node.insert(db) }
                    return
                }
                let statement = try db.cachedStatement(sql: "INSERT INTO node (id, title, seconds, tree, position) VALUES (?, ?, ?, ?, ?)")
                for node in nodes {
                    statement.setUncheckedArguments([node.id, node.title, node.seconds, node.tree, node.position])
                    try statement.execute()
                }
            }
        }
    }

    func deletion() throws -> () throws -> Void {
        let tree = GRDBTree(id: 1, name: data.listName(0))
        return { _ = try self.pool.write { try tree.delete($0) } }
    }

    func count() throws -> Int { try GRDBPool.count(pool, "tree") + GRDBPool.count(pool, "node") }

    func close() throws { try pool.close() }
}
