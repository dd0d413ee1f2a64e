import Trove

/// What the samples of docs/aggregates.md take for granted.
enum AggregatesPage {
    @Model struct Song {
        var artist: String
        var title: String
        var year: Int
        var seconds: Int
        var rating: Double?
    }

    static var fetch: Fetch<Song, ObjectStore> { missing() }
}
