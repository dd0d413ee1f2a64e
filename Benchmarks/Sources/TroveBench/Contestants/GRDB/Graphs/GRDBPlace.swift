import GRDB

/// A song's place in a playlist.
struct GRDBPlace: PersistableRecord, Sendable {
    static let databaseTableName = "playlist_song"
    let playlist: Int64
    let position: Int
    let song: Int64

    func encode(to container: inout PersistenceContainer) {
        container["playlist"] = playlist
        container["position"] = position
        container["song"] = song
    }

    /// All places in a playlist.
    static func all(of list: Int, _ data: GraphData) -> [GRDBPlace] {
        data.members(of: list).enumerated().map { GRDBPlace(playlist: Int64(list) + 1, position: $0, song: Int64($1) + 1) }
    }
}
