import Trove

/// What playlists are made of.
@Model
struct PlaylistSong {
    var id: ObjectID
    var title: String
    var seconds: Int
}

extension PlaylistSong {
    init(number: Int, _ data: GraphData) {
        self.init(id: data.id(number), title: data.title(number), seconds: data.seconds(number))
    }
}
