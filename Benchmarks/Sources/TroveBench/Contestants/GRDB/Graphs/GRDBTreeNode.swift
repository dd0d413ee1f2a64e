import GRDB

/// A node, with its tree and its place there.
struct GRDBTreeNode: PersistableRecord, Sendable {
    static let databaseTableName = "node"
    let id: Int64
    let title: String
    let seconds: Int
    let tree: Int64
    let position: Int

    init(number: Int, _ data: GraphData) {
        (id, title, seconds) = (Int64(number) + 1, data.title(number), data.seconds(number))
        (tree, position) = (1, number)
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["seconds"] = seconds
        container["tree"] = tree
        container["position"] = position
    }
}
