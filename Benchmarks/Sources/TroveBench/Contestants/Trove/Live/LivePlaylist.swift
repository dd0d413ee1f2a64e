import Trove

/// Songs in an order, as a live object.
@Model
final class LivePlaylist {
    let id: ObjectID
    var name: String
    @Relationship var songs: [LivePlaylistSong] = []

    init(id: ObjectID, name: String) {
        self.id = id
        self.name = name
    }
}
