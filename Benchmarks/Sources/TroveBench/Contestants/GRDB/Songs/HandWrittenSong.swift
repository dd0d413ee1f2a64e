import GRDB

/// A record whose coding is written by hand.
struct HandWrittenSong: GRDBSong {
    let id: Int64
    let title: String
    let artist: String
    let year: Int
    let rating: Double?
    let duration: Double
}

extension HandWrittenSong {
    /// Reads the columns by position, which is GRDB's fastest way.
    init(row: Row) {
        id = row[0]
        title = row[1]
        artist = row[2]
        year = row[3]
        rating = row[4]
        duration = row[5]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["artist"] = artist
        container["year"] = year
        container["rating"] = rating
        container["duration"] = duration
    }
}
