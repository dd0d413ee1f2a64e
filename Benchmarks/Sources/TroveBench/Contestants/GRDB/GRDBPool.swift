import GRDB
import Trove

/// Opens GRDB's database with the settings of Trove's backend for SQLite.
enum GRDBPool {
    private static let songs = """
        CREATE TABLE IF NOT EXISTS song (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist TEXT NOT NULL, year INTEGER NOT NULL,
            rating REAL, duration REAL NOT NULL)
        """

    /// - Parameter schema: SQL that makes what is missing.
    static func open(path: String, durability: Durability, schema: String = songs) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA page_size = 8192; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 2000;
                    PRAGMA secure_delete = OFF
                    """)
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            // A pool sets NORMAL when it has opened its connection.
            try db.execute(sql: "PRAGMA synchronous = \(durability == .durable ? "FULL" : "NORMAL")")
            try db.execute(sql: schema)
        }
        return pool
    }

    /// What reads the year of every row, without making records.
    static func scan(_ pool: DatabasePool) -> () throws -> Tally {
        {
            try pool.read { db in
                var tally = Tally()
                let rows = try Row.fetchCursor(db, sql: "SELECT * FROM song")
                while let row = try rows.next() {
                    let year: Int = row[3]
                    tally.add(yearByte: UInt8(truncatingIfNeeded: year))
                }
                return tally
            }
        }
    }

    static func count(_ pool: DatabasePool, _ table: String = "song") throws -> Int {
        try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }
}
