import Trove

/// The object of the searches.
@Model
struct Track {
    var id: ObjectID
    var title: String
    var artist: String
    var label: String
    var year: Int
    var plays: Int
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
