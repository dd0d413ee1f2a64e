import GRDB

/// Titles through GRDB's record protocols, the words kept by triggers.
final class GRDBTitleRecordStore: TitleStore {
    private let database: GRDBTitles
    private var pool: DatabasePool { database.pool }

    init(_ database: GRDBTitles) {
        self.database = database
    }

    func insertion() throws -> () throws -> Void {
        let titles = (0..<database.data.count).map { HandWrittenTitle(number: $0, database.data) }
        return {
            try self.pool.write { db in
                for title in titles { try title.insert(db) }
            }
        }
    }

    func finding(words: [String]) throws -> () throws -> Tally {
        {
            try self.pool.read { db in
                var tally = Tally()
                for word in words {
                    tally.add(try HandWrittenTitle.fetchAll(db, sql: GRDBTitles.find, arguments: [try GRDBTitles.pattern(word)]))
                }
                return tally
            }
        }
    }

    func ranking(pairs: [(String, String)], limit: Int) throws -> () throws -> [[String]] {
        {
            try self.pool.read { db in
                try pairs.map { pair in
                    let pattern = try GRDBTitles.pattern(pair.0, pair.1)
                    return try HandWrittenTitle.fetchAll(db, sql: GRDBTitles.rank, arguments: [pattern, limit]).map(\.title)
                }
            }
        }
    }

    func count() throws -> Int { try GRDBPool.count(pool, "title") }

    func close() throws { try pool.close() }
}
