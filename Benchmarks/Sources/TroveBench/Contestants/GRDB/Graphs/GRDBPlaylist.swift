import GRDB

/// A playlist, without its songs.
struct GRDBPlaylist: PersistableRecord, Sendable {
    static let databaseTableName = "playlist"
    let id: Int64
    let name: String

    init(number: Int, _ data: GraphData) {
        (id, name) = (Int64(number) + 1, data.listName(number))
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
    }
}
