import GRDB

/// A song as GRDB stores it.
protocol GRDBSong: FetchableRecord, PersistableRecord, Sendable {
    var title: String { get }
    var artist: String { get }
    var year: Int { get }
    var duration: Double { get }

    init(id: Int64, title: String, artist: String, year: Int, rating: Double?, duration: Double)
}

extension GRDBSong {
    static var databaseTableName: String { "song" }

    /// The song with this number. GRDB is at its best with integer keys, so it gets them.
    init(number: Int) {
        self.init(
            id: Self.id(number), title: SongData.title(number), artist: SongData.artist(number), year: SongData.year(number),
            rating: SongData.rating(number), duration: SongData.duration(number))
    }

    static func id(_ number: Int) -> Int64 { Int64(number) + 1 }
}

extension Tally {
    /// Adds a song.
    @inline(__always)
    mutating func add(_ song: some GRDBSong) {
        addInOrder(year: song.year, duration: song.duration, title: song.title, artist: song.artist)
    }
}
