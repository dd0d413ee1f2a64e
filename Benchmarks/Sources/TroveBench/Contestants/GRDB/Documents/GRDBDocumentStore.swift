import GRDB

/// Documents through GRDB's record protocols, or through a SQL statement that it keeps prepared.
final class GRDBDocumentStore: DocumentStore {
    private static let attributes = ["name", "city", "kind", "year", "size", "price"]

    private let pool: DatabasePool
    private let usesStatements: Bool

    init(path: String, _ place: StorePlace, usesStatements: Bool) throws {
        self.usesStatements = usesStatements
        let indexes = Self.attributes.map { "CREATE INDEX IF NOT EXISTS document_\($0) ON document (\($0))" }
        pool = try GRDBPool.open(
            path: path, durability: place.durability,
            schema: """
                CREATE TABLE IF NOT EXISTS document (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, kind TEXT NOT NULL, year INTEGER NOT NULL,
                    size INTEGER NOT NULL, price REAL NOT NULL);
                \(indexes.joined(separator: ";\n"))
                """)
    }

    func insertion(count: Int, batch: Int) throws -> () throws -> Void {
        let documents = (0..<count).map(GRDBDocument.init(number:))
        return {
            for first in stride(from: 0, to: count, by: batch) {
                let batch = documents[first..<min(first + batch, count)]
                try self.pool.write { db in
                    if self.usesStatements { return try Self.execute(db, batch) }
                    for document in batch { try document.insert(db) }
                }
            }
        }
    }

    private static func execute(_ db: Database, _ documents: ArraySlice<GRDBDocument>) throws {
        let statement = try db.cachedStatement(sql: "INSERT INTO document (id, name, city, kind, year, size, price) VALUES (?, ?, ?, ?, ?, ?, ?)")
        for document in documents {
            statement.setUncheckedArguments([
                document.id, document.name, document.city, document.kind, document.year, document.size, document.price,
            ])
            try statement.execute()
        }
    }

    func documents(like number: Int) throws -> Tally {
        let document = GRDBDocument(number: number)
        let values: [any DatabaseValueConvertible] = [document.name, document.city, document.kind, document.year, document.size, document.price]
        return try pool.read { db in
            var tally = Tally()
            for (attribute, value) in zip(Self.attributes, values) {
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT name, size FROM document INDEXED BY document_\(attribute) WHERE \(attribute) = ?", arguments: [value])
                while let row = try rows.next() { tally.add(title: row[0], seconds: row[1]) }
            }
            return tally
        }
    }

    func count() throws -> Int { try GRDBPool.count(pool, "document") }

    func close() throws { try pool.close() }
}
