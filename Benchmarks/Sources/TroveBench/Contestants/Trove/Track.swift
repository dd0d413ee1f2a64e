import Trove

/// The object of the searches.
@Model
struct Track {
    var id: ObjectID
    var title: String
    @Attribute(.indexed) var artist: String
    var label: String
    var year: Int
    @Attribute(.indexed) var plays: Int
    var rating: Double?
    var duration: Double
}

extension Track {
    init(number: Int, _ data: TrackData) {
        self.init(
            id: data.id(number), title: data.title(number), artist: data.artist(number), label: data.label(number),
            year: data.year(number), plays: data.plays(number), rating: data.rating(number), duration: data.duration(number))
    }
}

extension Tally {
    /// Adds tracks.
    @inline(__always)
    mutating func add(_ tracks: [Track]) {
        for track in tracks { add(track) }
    }

    /// Adds a track.
    @inline(__always)
    mutating func add(_ track: Track) {
        add(year: track.year, duration: track.duration, title: track.title, artist: track.artist, label: track.label)
    }
}
