import GRDB

/// A tree, without its nodes.
struct GRDBTree: PersistableRecord, Sendable {
    static let databaseTableName = "tree"
    let id: Int64
    let name: String

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
    }
}
