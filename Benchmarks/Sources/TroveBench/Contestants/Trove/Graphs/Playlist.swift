import Trove

/// Songs in an order.
@Model
struct Playlist {
    var id: ObjectID
    var name: String
    var songs: [Reference<PlaylistSong>] = []
}

extension Playlist {
    init(number: Int, _ data: GraphData) {
        self.init(
            id: data.listID(number), name: data.listName(number), songs: data.members(of: number).map { Reference(id: data.id($0)) })
    }
}
