import GRDB

/// Packages through GRDB's record protocols, or through SQL statements that it keeps prepared; their words are in FTS5.
final class GRDBCatalogueStore: CatalogueStore {
    private let pool: DatabasePool
    private let usesStatements: Bool

    init(path: String, _ place: StorePlace, usesStatements: Bool) throws {
        self.usesStatements = usesStatements
        pool = try GRDBPool.open(
            path: path, durability: place.durability,
            schema: """
                CREATE TABLE IF NOT EXISTS package (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version TEXT NOT NULL, architecture TEXT NOT NULL,
                    description TEXT NOT NULL, section TEXT, source TEXT, installedSize INTEGER, downloadSize INTEGER);
                CREATE INDEX IF NOT EXISTS package_section ON package (section, installedSize DESC);
                CREATE TABLE IF NOT EXISTS detail (
                    package INTEGER NOT NULL REFERENCES package ON DELETE CASCADE, kind INTEGER NOT NULL, position INTEGER NOT NULL,
                    name TEXT NOT NULL, PRIMARY KEY (package, kind, position)) WITHOUT ROWID;
                CREATE INDEX IF NOT EXISTS detail_name ON detail (name) WHERE kind < 3;
                CREATE VIRTUAL TABLE IF NOT EXISTS package_text USING fts5(description, content = 'package', content_rowid = 'id')
                """)
    }

    func insertion(of packages: [PackageRow]) throws -> () throws -> Void {
        let packages = packages.enumerated().map { GRDBPackage(id: Int64($0) + 1, row: $1) }
        let details = packages.flatMap { GRDBPackageDetail.all(of: $0.row, id: $0.id) }
        return {
            try self.pool.write { db in
                let text = try db.cachedStatement(sql: "INSERT INTO package_text (rowid, description) VALUES (?, ?)")
                for package in packages {
                    text.setUncheckedArguments([package.id, package.row.description])
                    try text.execute()
                }
                if self.usesStatements { return try Self.execute(db, packages, details) }
                for package in packages { try package.insert(db) }
                for detail in details { try detail.insert(db) }
            }
        }
    }

    private static func execute(_ db: Database, _ packages: [GRDBPackage], _ details: [GRDBPackageDetail]) throws {
        let package = try db.cachedStatement(
            sql: """
                INSERT INTO package (id, name, version, architecture, description, section, source, installedSize, downloadSize) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for item in packages {
            let row = item.row
            package.setUncheckedArguments([
                item.id, row.name, row.version, row.architecture, row.description, row.section, row.source, row.installedSize, row.downloadSize,
            ])
            try package.execute()
        }
        let detail = try db.cachedStatement(sql: "INSERT INTO detail (package, kind, position, name) VALUES (?, ?, ?, ?)")
        for item in details {
            detail.setUncheckedArguments([item.package, item.kind, item.position, item.name])
            try detail.execute()
        }
    }

    func tally() throws -> Tally {
        try pool.read { db in
            var tally = Tally()
            for description in try String.fetchAll(db, sql: "SELECT description FROM package") { tally.add(title: description, seconds: 0) }
            tally.years = try Int.fetchOne(db, sql: "SELECT count(*) FROM detail") ?? 0
            return tally
        }
    }

    func close() throws { try pool.close() }
}
