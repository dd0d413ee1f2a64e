import GRDB

/// GRDB's database of tracks.
struct GRDBTracks: Sendable {
    let pool: DatabasePool
    let data: TrackData

    init(path: String, _ place: StorePlace, _ data: TrackData, hasLabelIndex: Bool) throws {
        self.data = data
        pool = try GRDBPool.open(
            path: path, durability: place.durability,
            schema: """
                CREATE TABLE IF NOT EXISTS track (
                    id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist TEXT NOT NULL, label TEXT NOT NULL, year INTEGER NOT NULL,
                    plays INTEGER NOT NULL, rating REAL, duration REAL NOT NULL);
                CREATE INDEX IF NOT EXISTS track_artist ON track (artist);
                CREATE INDEX IF NOT EXISTS track_plays ON track (plays);
                \(hasLabelIndex ? "CREATE INDEX IF NOT EXISTS track_label ON track (label)" : "")
                """)
    }
}
