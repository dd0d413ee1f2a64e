import EngineSupport
import Foundation
import Testing
import TroveStorage

@testable import TroveSQLite

/// SQL of the application's own in Trove's transactions, against another connection to the same file.
@Suite struct SQLTests {
    private struct Undone: Error {}

    private func sql(_ reader: any StorageReader) throws -> SQLiteConnection { try #require(SQLiteConnection(reader)) }

    private func execute(_ fixture: Fixture, _ statement: String, _ arguments: SQLiteValue...) throws {
        try fixture.store.write { writer in try sql(writer).execute(statement, arguments: arguments) } as Void
    }

    private func rows(_ fixture: Fixture, _ statement: String, _ arguments: SQLiteValue...) throws -> [[SQLiteValue]] {
        try fixture.store.read { reader in try sql(reader).rows(statement, arguments: arguments).map(\.values) }
    }

    @Test func everyKindOfValue() throws {
        let fixture = try Fixture()
        try execute(fixture, "CREATE TABLE kept (number INTEGER PRIMARY KEY, value)")
        let values: [SQLiteValue] = [
            nil, 0, .integer(.max), .integer(.min), 1.5, .real(-0.0), .real(.infinity), "", "é e\u{301} \u{0} behind", .text(String(repeating: "x", count: 100_000)), .blob([]), .blob([0, 255]),
            .blob([UInt8](repeating: 7, count: 200_000)), true,
        ]
        try fixture.store.write { writer in
            let sql = try sql(writer)
            for (number, value) in values.enumerated() { #expect(try sql.execute("INSERT INTO kept VALUES (?, ?)", .integer(Int64(number)), value) == 1) }
        } as Void
        try fixture.reopen()
        #expect(try rows(fixture, "SELECT value FROM kept ORDER BY number").map { $0[0] } == values)
        let raw = try RawDatabase(fixture.path)
        #expect(try raw.value("SELECT group_concat(typeof(value)) FROM (SELECT value FROM kept ORDER BY number)") == "null,integer,integer,integer,real,real,real,text,text,text,blob,blob,blob,integer")
        #expect(try raw.value("SELECT value FROM kept WHERE number = 2") == "9223372036854775807")
        #expect(try rows(fixture, "SELECT ?, ?", .real(.nan), .blob([])) == [[.null, .blob([])]], "SQLite has no number that is none")
    }

    @Test func rowsByNameAndPlace() throws {
        let fixture = try Fixture()
        let row = try fixture.store.read { reader in try sql(reader).rows("SELECT 1 AS one, 'x' AS \"é\", 2.5, NULL AS gone") }[0]
        #expect(row["one"]?.integer == 1 && row["é"]?.text == "x" && row["e\u{301}"] == nil && row["none"] == nil)
        #expect(row[2].real == 2.5 && row[0].real == 1 && row["gone"] == .null && row[1].integer == nil && row[1].blob == nil)
        #expect(row.columns.count == 4)
    }

    /// The condition by which scans are called back takes what SQL cannot give it.
    @Test func theFunctionOfScansIsNotForSQL() throws {
        let fixture = try Fixture()
        for number in 0..<100 { try fixture.put(bytes(number), [1]) }
        for call in ["trove_is_over(1, x'00', x'00')", "trove_is_over(NULL, x'00')", "trove_is_over(x'0000000000000000', key) FROM trove_entries", "trove_is_over(1)", "trove_is_over()"] {
            #expect(throws: StorageError.self) { try rows(fixture, "SELECT \(call)") }
        }
        // Nor inside of a scan, which goes on.
        var found = 0
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let data = try #require(try reader.keyspace(named: "data"))
            try reader.scan(.all, in: data, order: .ascending) { _, _ in
                found += 1
                if found == 60 { #expect(throws: StorageError.self) { try sql(reader).rows("SELECT trove_is_over(1, x'00')") } }
                return .next
            }
        }
        #expect(found == 100)
    }

    /// So do the table of the keys that are looked up together, which is empty for SQL, and its condition.
    @Test func theTableOfKeysIsNotForSQL() throws {
        let fixture = try Fixture()
        for number in 0..<100 { try fixture.put(bytes(number), [1]) }
        for call in ["trove_is_enough(1, 2, x'00')", "trove_is_enough(NULL, 2, x'00')", "trove_is_enough()", "key FROM trove_keys"] {
            #expect(throws: StorageError.self) { try rows(fixture, "SELECT \(call)") }
        }
        for list in ["1", "NULL", "x'0000000000000000'"] { #expect(try rows(fixture, "SELECT key FROM trove_keys(\(list))").isEmpty) }
        // A view of the application's would read it later, out of Trove's sight.
        #expect(throws: StorageError.self) {
            try fixture.store.write { writer in
                try sql(writer).execute("CREATE VIEW mine AS SELECT key FROM trove_keys(1)")
                _ = try sql(writer).rows("SELECT * FROM mine")
            }
        }
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let data = try #require(try reader.keyspace(named: "data"))
            var found = 0
            try reader.getMany((0..<8).map(bytes), in: data) { _, value in found += value == nil ? 0 : 1 }
            #expect(found == 8)
        }
    }

    /// One commit, one roll-back, one savepoint for both.
    @Test func oneTransaction() throws {
        let fixture = try Fixture()
        try fixture.store.write { writer in
            let keyspace = try writer.createKeyspace(named: "data")
            let sql = try sql(writer)
            try sql.execute("CREATE TABLE visits (page TEXT PRIMARY KEY, count INTEGER)")
            try sql.execute("INSERT INTO visits VALUES ('a', 1), ('b', 1)")
            try writer.put([1], [1], in: keyspace)
            #expect(throws: Undone.self) {
                try writer.savepoint {
                    #expect(try sql.execute("UPDATE visits SET count = count + 1") == 2)
                    try writer.put([2], [2], in: keyspace)
                    throw Undone()
                }
            }
            #expect(try sql.rows("SELECT sum(count) FROM visits")[0][0] == 2)
            #expect(try writer.value(of: [2], in: keyspace) == nil)
        } as Void
        #expect(throws: Undone.self) {
            try fixture.store.write { writer in
                #expect(try sql(writer).execute("DELETE FROM visits WHERE page = ?", "a") == 1)
                try writer.put([1], [9], in: try writer.createKeyspace(named: "data"))
                throw Undone()
            } as Void
        }
        #expect(try RawDatabase(fixture.path).value("SELECT count(*) FROM visits") == "2")
        #expect(try fixture.value(of: [1]) == [1])
        #expect(try fixture.integrity() == "ok")
    }

    /// A read has one view, and changes nothing.
    @Test func reads() async throws {
        let fixture = try Fixture()
        try execute(fixture, "CREATE TABLE visits (page TEXT)")
        let store = fixture.store
        try store.read { reader in
            let sql = try sql(reader)
            #expect(try sql.rows("SELECT count(*) FROM visits")[0][0] == 0)
            try RawDatabase(fixture.path).execute("INSERT INTO visits VALUES ('x')")
            #expect(try sql.rows("SELECT count(*) FROM visits")[0][0] == 0)
            for statement in ["INSERT INTO visits VALUES ('y')", "DROP TABLE visits", "CREATE TABLE other (x)"] {
                #expect(StorageError.name { try sql.execute(statement) } == "readOnly")
            }
        } as Void
        #expect(try rows(fixture, "SELECT count(*) FROM visits") == [[1]])
    }

    @Test(arguments: [
        "DELETE FROM trove_entries", "INSERT INTO TROVE_entries VALUES (x'00', 1)", "UPDATE trove_state SET generation = 9", "DROP TABLE trove_values", "CREATE INDEX mine ON trove_entries (value)",
        "CREATE TRIGGER mine AFTER INSERT ON trove_entries BEGIN DELETE FROM visits; END", "ALTER TABLE trove_state ADD COLUMN more", "CREATE TABLE trove_more (x)", "CREATE VIEW trove_view AS SELECT 1",
        "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT mine", "RELEASE mine", "ATTACH ':memory:' AS other", "DETACH main", "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 7", "PRAGMA writable_schema = ON",
        "ALTER TABLE visits RENAME TO trove_visits", "ALTER TABLE visits RENAME TO \"Trove_more\" -- of mine", "CREATE TEMP TABLE gone (x)", "CREATE TEMP VIEW gone AS SELECT 1", "ANALYZE trove_entries", "REINDEX trove_keyspaces", "WITH x AS (SELECT 1) DELETE FROM trove_entries",
        "SELECT 1; SELECT 2", "", "-- nothing", "SELECT ?", "REPLACE INTO visits SELECT ?, ?",
    ])
    func whatIsRefused(statement: String) throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        try execute(fixture, "CREATE TABLE visits (page TEXT PRIMARY KEY, count)")
        let schema = try RawDatabase(fixture.path).value("SELECT group_concat(sql) FROM sqlite_schema")
        try fixture.store.write { writer in
            let sql = try sql(writer)
            #expect(StorageError.name { try sql.execute(statement) } == "unsupported")
            #expect(StorageError.name { _ = try sql.rows(statement) } == "unsupported")
            try sql.execute("INSERT INTO visits VALUES ('x', 1)")
            try writer.put([2], [2], in: try writer.createKeyspace(named: "data"))
        } as Void
        try fixture.reopen()
        #expect(try fixture.value(of: [1]) == [1] && fixture.value(of: [2]) == [2])
        #expect(try RawDatabase(fixture.path).value("SELECT group_concat(sql) FROM sqlite_schema") == schema)
        #expect(try rows(fixture, "SELECT count(*) FROM visits") == [[1]])
    }

    /// What a trigger or a view of the application's own would do to Trove's tables is refused when it is about to.
    @Test func triggersAndViews() throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        for statement in [
            "CREATE TABLE visits (page TEXT)", "CREATE TABLE log (page TEXT)", "CREATE TABLE bad (page TEXT)", "CREATE VIEW pages AS SELECT DISTINCT page FROM visits",
            "CREATE TRIGGER logs AFTER INSERT ON visits BEGIN INSERT INTO log VALUES (new.page); END", "CREATE TRIGGER spoils AFTER INSERT ON bad BEGIN DELETE FROM trove_entries; END",
        ] { try execute(fixture, statement) }
        try fixture.reopen()
        try fixture.store.write { writer in
            let sql = try sql(writer)
            #expect(try sql.execute("INSERT INTO visits VALUES ('a'), ('a'), ('b')") == 3)
            #expect(try sql.execute("CREATE TABLE another (x)") == 0)
            #expect(StorageError.name { try sql.execute("INSERT INTO bad VALUES ('x')") } == "unsupported")
        } as Void
        #expect(try rows(fixture, "SELECT count(*) FROM log") == [[3]])
        #expect(try rows(fixture, "SELECT page FROM pages ORDER BY page") == [["a"], ["b"]])
        #expect(try fixture.value(of: [1]) == [1])
    }

    /// The condition behind a zero byte was left out, and all rows were deleted.
    @Test func aZeroByteEndsNoStatement() throws {
        let fixture = try Fixture()
        try execute(fixture, "CREATE TABLE visits (page TEXT)")
        try fixture.store.write { writer in
            let sql = try sql(writer)
            try sql.execute("INSERT INTO visits VALUES (?), (?)", .text("a\0b"), .text("c"))
            for statement in ["DELETE FROM visits\0 WHERE page = 'c'", "SELECT 1; \0 SELECT 2", "\0", "SELECT 'a\0b'"] {
                #expect(StorageError.name { try sql.execute(statement) } == "unsupported", "\(statement.debugDescription)")
            }
            #expect(try sql.rows("SELECT page FROM visits WHERE page = ?", .text("a\0b")).map { $0["page"]?.text } == ["a\0b"])
        } as Void
        #expect(try rows(fixture, "SELECT count(*) FROM visits") == [[2]])
    }

    @Test func tablesAreAltered() throws {
        let fixture = try Fixture()
        try execute(fixture, "CREATE TABLE visits (page TEXT PRIMARY KEY)")
        try fixture.store.write { writer in
            let sql = try sql(writer)
            try sql.execute("ALTER TABLE visits RENAME TO trovers")
            try sql.execute("ALTER TABLE trovers RENAME COLUMN page TO trove_page")
            try sql.execute("ALTER TABLE trovers ADD COLUMN count INTEGER")
            #expect(StorageError.name { try sql.execute("ALTER TABLE trovers RENAME TO trovers") } == "engineFailure")
            #expect(throws: Undone.self) {
                try writer.savepoint {
                    #expect(StorageError.name { try sql.execute("ALTER TABLE trovers RENAME TO trove_visits") } == "unsupported")
                    try sql.execute("ALTER TABLE trovers RENAME TO others")
                    throw Undone()
                }
            }
            try sql.execute("INSERT INTO trovers VALUES ('a', 1)")
            try writer.put([1], [1], in: try writer.createKeyspace(named: "data"))
        } as Void
        try fixture.reopen()
        #expect(try rows(fixture, "SELECT trove_page, count FROM trovers") == [["a", 1]])
        #expect(try fixture.value(of: [1]) == [1])
    }

    /// A statement that fails changes nothing, and the transaction goes on; one that has ended the transaction says so.
    @Test func failures() throws {
        let fixture = try Fixture()
        try execute(fixture, "CREATE TABLE visits (page TEXT PRIMARY KEY)")
        try fixture.store.write { writer in
            let sql = try sql(writer)
            try sql.execute("INSERT INTO visits VALUES ('a')")
            for statement in ["INSERT INTO visits VALUES ('b'), ('a')", "SELEC 1", "SELECT nothing FROM visits", "SELECT load_extension('x')", "VACUUM"] {
                #expect(StorageError.name { try sql.execute(statement) } == "engineFailure", "\(statement)")
            }
            #expect { try sql.execute("INSERT INTO visits VALUES ('a')") } throws: { "\($0)".contains("UNIQUE constraint failed: visits.page") }
            try writer.put([1], [1], in: try writer.createKeyspace(named: "data"))
        } as Void
        #expect(try rows(fixture, "SELECT page FROM visits") == [["a"]])
        let ended = StorageError.name {
            try fixture.store.write { writer in
                try writer.put([1], [2], in: try writer.createKeyspace(named: "data"))
                do { try sql(writer).execute("INSERT OR ROLLBACK INTO visits VALUES ('a')") } catch {}
            } as Void
        }
        #expect(ended == "transactionPoisoned", "what came before is gone, so nothing may be committed")
        #expect(try fixture.value(of: [1]) == [1])
        var escaped: SQLiteConnection?
        try fixture.store.write { writer in escaped = try sql(writer) } as Void
        #expect(StorageError.name { try escaped?.execute("DELETE FROM visits") } == "transactionFinished")
    }

    /// A read goes on after one, too, with what it saw.
    @Test func failuresInReads() throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        try execute(fixture, "CREATE TABLE visits (page TEXT PRIMARY KEY)")
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let sql = try sql(reader)
            try fixture.put([1], [2])
            try execute(fixture, "INSERT INTO visits VALUES ('a')")
            let data = try #require(try reader.keyspace(named: "data"))
            // Words that are none, a table that is none, and a result that is none.
            for statement in ["SELEC 1", "SELECT * FROM nothing", "SELECT abs(-9223372036854775807 - 1) FROM sqlite_schema"] {
                #expect(StorageError.name { _ = try sql.rows(statement) } == "engineFailure", "\(statement)")
                #expect(try reader.value(of: [1], in: data) == [1])
                #expect(try sql.rows("SELECT count(*) FROM visits")[0][0] == 0)
            }
        }
        #expect(try rows(fixture, "SELECT page FROM visits") == [["a"]])
    }

    /// Trove's own statements go on while the application's run, and the other way round.
    @Test func sideBySide() throws {
        let fixture = try Fixture()
        try fixture.store.write { writer in
            let keyspace = try writer.createKeyspace(named: "data")
            for number in 0..<500 { try writer.put(bytes(number), [1], in: keyspace) }
        } as Void
        try fixture.store.write { writer in
            let keyspace = try #require(try writer.keyspace(named: "data"))
            var seen = 0
            try writer.scan(in: keyspace) { key, _ in
                let sql = try sql(writer)
                if seen == 0 { try sql.execute("CREATE TABLE seen (key BLOB PRIMARY KEY)") }
                try sql.execute("INSERT INTO seen VALUES (?)", .blob([UInt8](copying: key)))
                seen += 1
                return .next
            }
            #expect(seen == 500)
            var copied = 0
            try sql(writer).forEachRow("SELECT key FROM seen ORDER BY key DESC") { row, stop in
                try writer.put(try #require(row[0].blob), [2], in: keyspace)
                try sql(writer).execute("INSERT INTO seen SELECT x'ff' || key FROM seen WHERE key = ?", row[0])
                copied += 1
                if copied == 100 { stop = true }
            }
            #expect(try sql(writer).rows("SELECT count(*) FROM seen")[0][0] == 600)
        } as Void
        #expect(try fixture.value(of: bytes(450)) == [2] && fixture.value(of: bytes(3)) == [1])
        #expect(try fixture.integrity() == "ok")
    }

    /// A statement that returns what it changes has ended when its rows come: SQLite refuses savepoints before.
    @Test func savepointsBesideRows() throws {
        let fixture = try Fixture()
        try execute(fixture, "CREATE TABLE visits (page INTEGER PRIMARY KEY, count INTEGER)")
        for statement in ["INSERT INTO visits VALUES (1, 1), (2, 1), (3, 1), (4, 1) RETURNING page", "UPDATE visits SET count = 2 RETURNING page", "SELECT page FROM visits"] {
            var pages: [Int64?] = []
            try fixture.store.write { writer in
                let data = try writer.createKeyspace(named: "data")
                try sql(writer).forEachRow(statement) { row, stop in
                    pages.append(row[0].integer)
                    if pages.count == 3 { stop = true }
                    do {
                        try writer.savepoint {
                            try sql(writer).execute("UPDATE visits SET count = count + 10 WHERE page = ?", row[0])
                            try writer.put(bytes(pages.count), [UInt8(pages.count)], in: data)
                            if pages.count == 2 { throw Undone() }
                        }
                    } catch is Undone {}
                }
            } as Void
            #expect(pages == [1, 2, 3], "\(statement)")
        }
        #expect(try rows(fixture, "SELECT count FROM visits ORDER BY page") == [[22], [2], [22], [2]])
        #expect(try fixture.value(of: bytes(1)) == [1] && fixture.value(of: bytes(2)) == nil && fixture.value(of: bytes(3)) == [3])
        #expect(try fixture.integrity() == "ok")
    }

    /// A write of SQL alone does not pass for another process's.
    @Test func whoseCommitsTheyAre() throws {
        let fixture = try Fixture()
        let commits = fixture.store.engine.ownCommits
        func othersCount() throws -> UInt64 {
            let mark = commits.beginLook()
            let stamp = try fixture.store.read { reader in reader.stateStamp }
            return commits.judge(stamp, isNew: true, since: mark).othersCount
        }
        try fixture.put([1], [1])
        let before = try othersCount()
        try execute(fixture, "CREATE TABLE visits (page TEXT)")
        try execute(fixture, "INSERT INTO visits VALUES ('a')")
        #expect(try othersCount() == before)
        try RawDatabase(fixture.path).execute("INSERT INTO visits VALUES ('b')")
        #expect(try othersCount() == before + 1)
    }

    /// Backups and compaction keep the application's tables; virtual tables work.
    @Test func whatTakesTablesAlong() throws {
        let fixture = try Fixture()
        try execute(fixture, "CREATE VIRTUAL TABLE pages USING fts5(text)")
        try execute(fixture, "INSERT INTO pages VALUES (?), (?)", "autumn leaves", "blue in green")
        #expect(try rows(fixture, "SELECT text FROM pages WHERE pages MATCH ?", "leaves") == [["autumn leaves"]])
        try fixture.store.compact()
        let backup = fixture.directory.file("backup")
        try fixture.store.backUp(to: backup)
        #expect(try RawDatabase(backup).value("SELECT count(*) FROM pages") == "2")
        try fixture.reopen()
        #expect(try rows(fixture, "SELECT count(*) FROM pages") == [[2]])
        #expect(try !rows(fixture, "PRAGMA table_info(pages)").isEmpty)
    }
}
