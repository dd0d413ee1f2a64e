import Trove

/// The object that is stored.
@Model
struct Song {
    var id: ObjectID
    var title: String
    var artist: String
    var year: Int
    var rating: Double?
    var duration: Double
}

extension Song {
    /// The song with this number.
    init(number: Int) {
        self.init(
            id: SongData.id(number), title: SongData.title(number), artist: SongData.artist(number),
            year: SongData.year(number), rating: SongData.rating(number), duration: SongData.duration(number))
    }
}

extension Tally {
    /// Adds a song.
    @inline(__always)
    mutating func add(_ song: Song) {
        addInOrder(year: song.year, duration: song.duration, title: song.title, artist: song.artist)
    }
}
