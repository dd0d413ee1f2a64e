import GRDB

/// Tracks through SQL statements that GRDB keeps prepared.
final class GRDBTrackStatementStore: TrackStore {
    private let database: GRDBTracks
    private var pool: DatabasePool { database.pool }

    init(_ database: GRDBTracks) {
        self.database = database
    }

    func insertion() throws -> () throws -> Void {
        let tracks = (0..<database.data.count).map { HandWrittenTrack(number: $0, database.data) }
        return {
            try self.pool.write { db in
                let statement = try db.cachedStatement(
                    sql: "INSERT INTO track (id, title, artist, label, year, plays, rating, duration) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                for track in tracks {
                    statement.setUncheckedArguments([
                        track.id, track.title, track.artist, track.label, track.year, track.plays, track.rating, track.duration,
                    ])
                    try statement.execute()
                }
            }
        }
    }

    func countingTracks(after year: Int) throws -> () throws -> Int {
        {
            try self.pool.read { db in
                try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM track WHERE year > ?"), arguments: [year]) ?? 0
            }
        }
    }

    func finding(artists: [String]) throws -> () throws -> Tally {
        {
            try self.pool.read { db in
                var tally = Tally()
                let statement = try db.cachedStatement(sql: "SELECT * FROM track WHERE artist = ?")
                for artist in artists { tally.add(try HandWrittenTrack.fetchAll(statement, arguments: [artist])) }
                return tally
            }
        }
    }

    func finding(firstOf artists: [String], limit: Int) throws -> () throws -> Tally {
        {
            var tally = Tally()
            for artist in artists {
                try self.pool.read { db in
                    let statement = try db.cachedStatement(sql: "SELECT * FROM track WHERE artist = ? ORDER BY id LIMIT ?")
                    tally.add(try HandWrittenTrack.fetchAll(statement, arguments: [artist, limit]))
                }
            }
            return tally
        }
    }

    func answering(_ question: TrackQuestion) throws -> () throws -> Tally { throw BenchmarkError("the questions are SQLite's own, asked in C") }

    func finding(plays ranges: [Range<Int>]) throws -> () throws -> Tally {
        {
            try self.pool.read { db in
                var tally = Tally()
                let statement = try db.cachedStatement(sql: "SELECT * FROM track WHERE plays >= ? AND plays < ?")
                for range in ranges {
                    tally.add(try HandWrittenTrack.fetchAll(statement, arguments: [range.lowerBound, range.upperBound]))
                }
                return tally
            }
        }
    }

    func countingByLabel() throws -> () throws -> Tally {
        {
            try self.pool.read { db in
                var tally = Tally()
                tally.add(try LabelCount.fetchAll(db.cachedStatement(sql: "SELECT label, count(*) FROM track GROUP BY label")))
                return tally
            }
        }
    }

    func count() throws -> Int { try GRDBPool.count(pool, "track") }

    func close() throws { try pool.close() }
}
