import GRDB

/// Tracks through GRDB's record protocols and query interface.
final class GRDBTrackRecordStore: TrackStore {
    private let database: GRDBTracks
    private var pool: DatabasePool { database.pool }

    init(_ database: GRDBTracks) {
        self.database = database
    }

    func insertion() throws -> () throws -> Void {
        let tracks = (0..<database.data.count).map { HandWrittenTrack(number: $0, database.data) }
        return {
            try self.pool.write { db in
                for track in tracks { try track.insert(db) }
            }
        }
    }

    func countingTracks(after year: Int) throws -> () throws -> Int {
        { try self.pool.read { try HandWrittenTrack.filter(Column("year") > year).fetchCount($0) } }
    }

    func finding(artists: [String]) throws -> () throws -> Tally {
        {
            try self.pool.read { db in
                var tally = Tally()
                for artist in artists { tally.add(try HandWrittenTrack.filter(Column("artist") == artist).fetchAll(db)) }
                return tally
            }
        }
    }

    func finding(firstOf artists: [String], limit: Int) throws -> () throws -> Tally {
        {
            var tally = Tally()
            for artist in artists {
                try self.pool.read { db in
                    tally.add(try HandWrittenTrack.filter(Column("artist") == artist).order(Column("id")).limit(limit).fetchAll(db))
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
                for range in ranges { tally.add(try HandWrittenTrack.filter(range.contains(Column("plays"))).fetchAll(db)) }
                return tally
            }
        }
    }

    func countingByLabel() throws -> () throws -> Tally {
        {
            try self.pool.read { db in
                var tally = Tally()
                let label = Column("label")
                tally.add(try HandWrittenTrack.select(label, GRDB.count(Column("id"))).group(label).asRequest(of: LabelCount.self).fetchAll(db))
                return tally
            }
        }
    }

    func count() throws -> Int { try GRDBPool.count(pool, "track") }

    func close() throws { try pool.close() }
}
