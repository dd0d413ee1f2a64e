import Trove

/// Songs in an order, as a live object.
@Model
final class LivePlaylist {
    let id: ObjectID
    var name: String
    /// A list, of which only what is asked for is loaded; an array of objects would load all hundred.
    @Relationship var songs: ObjectList<LivePlaylistSong> = ObjectList()

    init(id: ObjectID, name: String) {
        self.id = id
        self.name = name
    }
}
