import GRDB

/// GRDB used through SQL statements that it keeps prepared.
final class GRDBStatementStore: SongStore {
    private let pool: DatabasePool

    init(path: String, _ place: StorePlace) throws {
        pool = try GRDBPool.open(path: path, durability: place.durability)
    }

    private static func insertStatement(_ db: Database) throws -> Statement {
        try db.cachedStatement(sql: "INSERT INTO song (id, title, artist, year, rating, duration) VALUES (?, ?, ?, ?, ?, ?)")
    }

    private static func insert(_ song: HandWrittenSong, _ statement: Statement) throws {
        statement.setUncheckedArguments([song.id, song.title, song.artist, song.year, song.rating, song.duration])
        try statement.execute()
    }

    private static func song(_ id: Int64, _ db: Database) throws -> HandWrittenSong? {
        try HandWrittenSong.fetchOne(db.cachedStatement(sql: "SELECT * FROM song WHERE id = ?"), arguments: [id])
    }

    func insertion(of numbers: Range<Int>) throws -> () throws -> Void {
        let songs = numbers.map(HandWrittenSong.init(number:))
        return {
            try self.pool.write { db in
                let statement = try Self.insertStatement(db)
                for song in songs { try Self.insert(song, statement) }
            }
        }
    }

    func scan() throws -> () throws -> Tally { GRDBPool.scan(pool) }

    func reading(_ numbers: [Int], oneSnapshotEach: Bool) throws -> () throws -> Tally {
        let ids = numbers.map(HandWrittenSong.id)
        return oneSnapshotEach
            ? {
                var tally = Tally()
                for id in ids {
                    if let song = try self.pool.read({ try Self.song(id, $0) }) { tally.add(song) }
                }
                return tally
            }
            : {
                try self.pool.read { db in
                    var tally = Tally()
                    let statement = try db.cachedStatement(sql: "SELECT * FROM song WHERE id = ?")
                    for id in ids {
                        if let song = try HandWrittenSong.fetchOne(statement, arguments: [id]) { tally.add(song) }
                    }
                    return tally
                }
            }
    }

    func fetchAll() throws -> () -> Tally {
        let songs = try pool.read { try HandWrittenSong.fetchAll($0.cachedStatement(sql: "SELECT * FROM song")) }
        return {
            var tally = Tally()
            for song in songs { tally.add(song) }
            return tally
        }
    }

    func stream() async throws -> Tally {
        try await pool.read { db in
            var tally = Tally()
            let songs = try HandWrittenSong.fetchCursor(db.cachedStatement(sql: "SELECT * FROM song"))
            while let song = try songs.next() { tally.add(song) }
            return tally
        }
    }

    func save(_ number: Int) async throws {
        try await pool.write { db in
            try Self.insert(HandWrittenSong(number: number), Self.insertStatement(db))
        }
    }

    func count() throws -> Int { try GRDBPool.count(pool) }

    func close() throws { try pool.close() }
}
