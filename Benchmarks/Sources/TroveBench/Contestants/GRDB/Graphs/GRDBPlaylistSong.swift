import GRDB

/// A song, coded by hand; columns are read by position, which is GRDB's fastest way.
struct GRDBPlaylistSong: FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "song"
    let id: Int64
    let title: String
    let seconds: Int

    init(number: Int, _ data: GraphData) {
        (id, title, seconds) = (Int64(number) + 1, data.title(number), data.seconds(number))
    }

    init(row: Row) {
        (id, title, seconds) = (row[0], row[1], row[2])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["seconds"] = seconds
    }
}
