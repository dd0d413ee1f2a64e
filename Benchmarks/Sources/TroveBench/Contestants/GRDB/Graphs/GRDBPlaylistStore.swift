import GRDB

/// Playlists through GRDB's record protocols, or through SQL statements that it keeps prepared.
final class GRDBPlaylistStore: PlaylistStore {
    private let pool: DatabasePool
    private let data: GraphData
    private let usesStatements: Bool

    init(path: String, _ place: StorePlace, _ data: GraphData, usesStatements: Bool) throws {
        self.data = data
        self.usesStatements = usesStatements
        pool = try GRDBGraphs.openPlaylists(path: path, place)
    }

    func insertion() throws -> () throws -> Void {
        let songs = (0..<data.count).map { GRDBPlaylistSong(number: $0, data) }
        let playlists = (0..<data.listCount).map { GRDBPlaylist(number: $0, data) }
        let places = (0..<data.listCount).flatMap { GRDBPlace.all(of: $0, data) }
        let usesStatements = usesStatements
        return {
            try self.pool.write { db in
                if usesStatements { return try Self.execute(db, songs, playlists, places) }
                for song in songs { try song.insert(db) }
                for playlist in playlists { try playlist.insert(db) }
                for place in places { try place.insert(db) }
            }
        }
    }

    private static func execute(_ db: Database, _ songs: [GRDBPlaylistSong], _ playlists: [GRDBPlaylist], _ places: [GRDBPlace]) throws {
        let song = try db.cachedStatement(sql: "INSERT INTO song (id, title, seconds) VALUES (?, ?, ?)")
        for row in songs {
            song.setUncheckedArguments([row.id, row.title, row.seconds])
            try song.execute()
        }
        let playlist = try db.cachedStatement(sql: "INSERT INTO playlist (id, name) VALUES (?, ?)")
        for row in playlists {
            playlist.setUncheckedArguments([row.id, row.name])
            try playlist.execute()
        }
        let place = try db.cachedStatement(sql: "INSERT INTO playlist_song (playlist, position, song) VALUES (?, ?, ?)")
        for row in places {
            place.setUncheckedArguments([row.playlist, row.position, row.song])
            try place.execute()
        }
    }

    func readingFirstSongs() throws -> () throws -> Tally {
        {
            try self.pool.read { db in
                var tally = Tally()
                for song in try GRDBPlaylistSong.fetchAll(db, sql: GRDBGraphs.firstSongs) { tally.add(title: song.title, seconds: song.seconds) }
                return tally
            }
        }
    }

    func count() throws -> Int {
        try GRDBPool.count(pool, "song") + GRDBPool.count(pool, "playlist") + GRDBPool.count(pool, "playlist_song")
    }

    func close() throws { try pool.close() }
}
