import Trove

/// What playlists are made of, as a live object.
@Model
final class LivePlaylistSong {
    let id: ObjectID
    var title: String
    var seconds: Int

    init(id: ObjectID, title: String, seconds: Int) {
        self.id = id
        self.title = title
        self.seconds = seconds
    }
}
