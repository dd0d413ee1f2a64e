import GRDB

/// Titles through SQL statements that GRDB keeps prepared, the words written by the program.
final class GRDBTitleStatementStore: TitleStore {
    private let database: GRDBTitles
    private var pool: DatabasePool { database.pool }

    init(_ database: GRDBTitles) {
        self.database = database
    }

    func insertion() throws -> () throws -> Void {
        let titles = (0..<database.data.count).map { HandWrittenTitle(number: $0, database.data) }
        return {
            try self.pool.write { db in
                let row = try db.cachedStatement(sql: "INSERT INTO title (id, title, seconds) VALUES (?, ?, ?)")
                let text = try db.cachedStatement(sql: "INSERT INTO title_text (rowid, title) VALUES (?, ?)")
                for title in titles {
                    row.setUncheckedArguments([title.id, title.title, title.seconds])
                    try row.execute()
                    text.setUncheckedArguments([title.id, title.title])
                    try text.execute()
                }
            }
        }
    }

    func finding(words: [String]) throws -> () throws -> Tally {
        {
            try self.pool.read { db in
                var tally = Tally()
                let statement = try db.cachedStatement(sql: GRDBTitles.find)
                for word in words { tally.add(try HandWrittenTitle.fetchAll(statement, arguments: [try GRDBTitles.pattern(word)])) }
                return tally
            }
        }
    }

    func ranking(pairs: [(String, String)], limit: Int) throws -> () throws -> [[String]] {
        {
            try self.pool.read { db in
                let statement = try db.cachedStatement(sql: GRDBTitles.rank)
                return try pairs.map { pair in
                    let pattern = try GRDBTitles.pattern(pair.0, pair.1)
                    return try HandWrittenTitle.fetchAll(statement, arguments: [pattern, limit]).map(\.title)
                }
            }
        }
    }

    func count() throws -> Int { try GRDBPool.count(pool, "title") }

    func close() throws { try pool.close() }
}
