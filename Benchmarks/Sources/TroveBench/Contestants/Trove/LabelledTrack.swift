import Trove

/// A track whose labels are indexed too, with the number of tracks of each.
@Model("Track")
struct LabelledTrack {
    #Index<LabelledTrack>([\.label], aggregates: [.count])

    var id: ObjectID
    var title: String
    @Attribute(.indexed) var artist: String
    var label: String
    var year: Int
    @Attribute(.indexed) var plays: Int
    var rating: Double?
    var duration: Double
}

extension LabelledTrack {
    init(number: Int, _ data: TrackData) {
        self.init(
            id: data.id(number), title: data.title(number), artist: data.artist(number), label: data.label(number),
            year: data.year(number), plays: data.plays(number), rating: data.rating(number), duration: data.duration(number))
    }
}
