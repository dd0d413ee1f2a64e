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

    struct Line: Codable {
        var price: Double
    }

    @Model struct Order {
        var number: Int
        var lines: [Line] = []
        var scores: [Int] = []
    }

    static var store: ObjectStore { missing() }
    static var fetch: Fetch<Song, ObjectStore> { missing() }
}
