import GRDB

/// GRDB's database of titles, whose words are in FTS5 and whose texts stay in a table of their own.
struct GRDBTitles: Sendable {
    /// The titles that a search finds, and the best of them.
    static let find = "SELECT title.* FROM title JOIN title_text ON title_text.rowid = title.id WHERE title_text MATCH ?"
    static let rank = find + " ORDER BY rank LIMIT ?"

    let pool: DatabasePool
    let data: TitleData

    /// - Parameter hasTriggers: The words are written by triggers, as GRDB makes them, not by the program.
    init(path: String, _ place: StorePlace, _ data: TitleData, hasTriggers: Bool) throws {
        self.data = data
        pool = try GRDBPool.open(
            path: path, durability: place.durability,
            schema: "CREATE TABLE IF NOT EXISTS title (id INTEGER PRIMARY KEY, title TEXT NOT NULL, seconds INTEGER NOT NULL)")
        try pool.write { db in
            guard try !db.tableExists("title_text") else { return }
            try db.create(virtualTable: "title_text", using: FTS5()) { table in
                if hasTriggers {
                    table.synchronize(withTable: "title")
                } else {
                    table.content = "title"
                    table.contentRowID = "id"
                }
                table.column("title")
            }
        }
    }

    /// The pattern for titles with all of these words.
    static func pattern(_ words: String...) throws -> FTS5Pattern {
        guard let pattern = FTS5Pattern(matchingAllTokensIn: words.joined(separator: " ")) else {
            throw BenchmarkError("there is no word in \(words)")
        }
        return pattern
    }
}
