import GRDB

/// A track whose coding is written by hand.
struct HandWrittenTrack: FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "track"

    let id: Int64
    let title: String
    let artist: String
    let label: String
    let year: Int
    let plays: Int
    let rating: Double?
    let duration: Double
}

extension HandWrittenTrack {
    init(number: Int, _ data: TrackData) {
        self.init(
            id: Int64(number) + 1, title: data.title(number), artist: data.artist(number), label: data.label(number),
            year: data.year(number), plays: data.plays(number), rating: data.rating(number), duration: data.duration(number))
    }

    /// Reads the columns by position, which is GRDB's fastest way.
    init(row: Row) {
        id = row[0]
        title = row[1]
        artist = row[2]
        label = row[3]
        year = row[4]
        plays = row[5]
        rating = row[6]
        duration = row[7]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["artist"] = artist
        container["label"] = label
        container["year"] = year
        container["plays"] = plays
        container["rating"] = rating
        container["duration"] = duration
    }
}

extension Tally {
    /// Adds tracks.
    mutating func add(_ tracks: [HandWrittenTrack]) {
        for track in tracks {
            add(year: track.year, duration: track.duration, title: track.title, artist: track.artist, label: track.label)
        }
    }
}
