import Foundation
import TestSupport
import Testing
import Trove
import TroveImport

/// Rows of tables by their keys, and what refers to them.
@Suite struct TableReferenceTests {
    @Model("Record")
    fileprivate struct Album {
        let id: Int
        var title: String
        var price: Decimal?
    }

    @Model("Track")
    fileprivate struct Song {
        let id: Int
        @Relationship var record: Reference<Album>?
        var title: String?
    }

    /// A row that was refused is not there, whenever it was read; and what it refers to is referred to by nobody.
    @Test(arguments: Engine.allCases) func refusedRows(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "music.db",
            """
            CREATE TABLE ahead (id INTEGER PRIMARY KEY, album INTEGER REFERENCES album);
            CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT);
            CREATE TABLE song (id INTEGER PRIMARY KEY, record INTEGER REFERENCES album, title);
            INSERT INTO ahead VALUES (1, 1), (2, 2);
            INSERT INTO album VALUES (1, 'a'), (2, NULL), (3, NULL);
            INSERT INTO song VALUES (1, 3, 'x'), (2, 3, 'y'), (3, 99, x'00'), (4, 99, 'z'), (5, 98, x'00'), (6, 1, 'w');
            """)
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Album.self, Song.self) }
        let options = ImportOptions(inBatches: true, models: ["album": "Record", "song": "Track"])
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), options)
        #expect(report.stored == 7 && report.collections.map(\.refused) == [0, 2, 2], "\(report)")
        let dangling = report.faults.filter { $0.reason.contains("is not there") }.map { "\($0.collection), \($0.place): \($0.reason.prefix { $0 != "," })" }
        let first = "it is the first to refer to"
        #expect(dangling == ["ahead, the row 2: \(first) 2 of album", "song, the row 1: \(first) 3 of album", "song, the row 4: \(first) 99 of album"])
        #expect(report.faultCount == 7)
        #expect(try fixture.store.verify().isSound)
    }

    /// Two tables may have rows of the same UUID, of which one may be missing.
    @Test(arguments: Engine.allCases, [false, true]) func tablesWithTheSameUUIDs(engine: Engine, inBatches: Bool) throws {
        let (one, two) = ("11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222")
        let files = try SourceFiles()
        let path = try files.sqlite(
            "users.db",
            """
            CREATE TABLE post (id TEXT PRIMARY KEY, profile TEXT REFERENCES profile);
            CREATE TABLE profile (id TEXT PRIMARY KEY, user TEXT REFERENCES user);
            CREATE TABLE user (id TEXT PRIMARY KEY);
            CREATE TABLE visit (id TEXT PRIMARY KEY, profile TEXT REFERENCES profile);
            INSERT INTO profile VALUES ('\(one)', '\(one)');
            INSERT INTO user VALUES ('\(one)'), ('\(two)');
            INSERT INTO post VALUES ('\(one)', '\(one)');
            INSERT INTO visit VALUES ('\(one)', '\(two)');
            """)
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: inBatches))
        #expect(report.stored == 5 && report.collections.allSatisfy { $0.isVerified == true }, "\(report)")
        #expect(report.faults.map(\.collection) == ["visit"] && report.faults[0].reason.contains("\(two) of profile"), "\(report)")
    }

    /// A key that is not the primary one tells no id where its row is not there: the value stays, and is told of once.
    @Test(arguments: Engine.allCases) func missingRowsOfOtherKeys(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "codes.db",
            """
            CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE, a TEXT, b INTEGER, UNIQUE (a, b));
            CREATE TABLE pc (id INTEGER PRIMARY KEY, code TEXT REFERENCES p(code), a TEXT, b INTEGER, FOREIGN KEY (a, b) REFERENCES p(a, b));
            INSERT INTO p VALUES (1, 'here', 'x', 1);
            INSERT INTO pc VALUES (1, 'here', 'x', 1), (2, 'gone', 'x', NULL), (3, 'gone', 'x', 2), (4, NULL, NULL, NULL);
            """)
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path))
        #expect(report.stored == 5 && report.faults.map { "\($0.place): \($0.reason)" } == [
            "the row 2: it is the first to refer to gone of p by 'code', which is not there; its value stays as it is",
            "the row 3: it is the first to refer to x, 2 of p by 'a_b', which is not there; its value stays as it is",
        ])
        let (target, rows) = (try #require(fixture.store.imported("p")[1]), try fixture.store.imported("pc"))
        #expect(rows[1]?.value == ["id": 1, "code": target.reference, "a": "x", "b": 1, "a_b": target.reference])
        #expect(rows[2]?.value == ["id": 2, "code": "gone", "a": "x", "b": .null] && rows[3]?.value == ["id": 3, "code": "gone", "a": "x", "b": 2])
    }

    /// SQLite compares a foreign key as the target's column does: as a text, as a number, without case.
    @Test(arguments: Engine.allCases) func keysThatAreWrittenInAnotherWay(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "written.db",
            """
            CREATE TABLE code (id TEXT PRIMARY KEY);
            CREATE TABLE name (id TEXT COLLATE NOCASE PRIMARY KEY);
            CREATE TABLE price (id REAL PRIMARY KEY);
            CREATE TABLE row (id INTEGER PRIMARY KEY, code INTEGER REFERENCES code, name TEXT COLLATE NOCASE REFERENCES name(ID), price INTEGER REFERENCES price, up REFERENCES row);
            INSERT INTO code VALUES ('1'), ('02');
            INSERT INTO name VALUES ('Ann');
            INSERT INTO price VALUES (5);
            INSERT INTO row VALUES (1, 1, 'ANN', 5, '2'), (2, 2, 'Bo', NULL, 1);
            """)
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path))
        func only(_ collection: String, _ id: StoredValue) throws -> StoredValue? { try fixture.store.imported(collection)[id]?.reference }
        let rows = try fixture.store.imported("row")
        #expect(try rows[1]?["code"] == only("code", "1") && rows[1]?["name"] == only("name", "Ann") && rows[1]?["price"] == only("price", 5.0))
        #expect(rows[1]?["up"] == rows[2]?.reference && rows[2]?["up"] == rows[1]?.reference)
        // The text of 2 is no 02.
        #expect(rows[2]?["code"] == 2 && rows[2]?["name"] == "Bo")
        #expect(report.faultCount == 2 && report.faults.allSatisfy { $0.place == "the row 2" && $0.reason.hasSuffix("its value stays as it is") }, "\(report)")
    }

    /// A foreign key that leads nowhere is told, and its table is taken.
    @Test(arguments: Engine.allCases) func foreignKeysToNoColumn(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "gone.db",
            """
            CREATE TABLE p (id INTEGER PRIMARY KEY);
            CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p(gone), q INTEGER REFERENCES p(ID));
            INSERT INTO p VALUES (1);
            INSERT INTO c VALUES (1, 1, 1);
            """)
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path))
        #expect(report.stored == 2 && report.faults.map(\.reason) == ["a foreign key leads to the column 'gone' of 'p', which is not there; its values stay as they are"])
        let row = try #require(fixture.store.imported("c")[1])
        #expect(try row["p"] == 1 && row["q"] == fixture.store.imported("p")[1]?.reference)
    }

    /// What stands in a column is never lost to a reference or to another column.
    @Test(arguments: Engine.allCases) func columnsOfTheSameName(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "names.db",
            """
            CREATE TABLE p (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
            CREATE TABLE q (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
            CREATE TABLE c (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, a_b TEXT, FOREIGN KEY (a, b) REFERENCES p, FOREIGN KEY (a, b) REFERENCES q);
            CREATE TABLE e (id INTEGER PRIMARY KEY, "\u{E9}" INTEGER, "e\u{301}" INTEGER);
            INSERT INTO p VALUES (1, 2);
            INSERT INTO q VALUES (1, 2);
            INSERT INTO c VALUES (1, 1, 2, 'mine');
            INSERT INTO e VALUES (1, 10, 20);
            """)
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path))
        let row = try #require(fixture.store.imported("c")[1])
        #expect(row["a_b"] == "mine" && row["a"] == 1 && row["b"] == 2)
        let targets = try ["p", "q"].map { try fixture.store.imported($0, by: "a")[1]?.reference }
        #expect(Set([row["a_b_"], row["a_b__"]]) == Set(targets))
        #expect(try fixture.store.imported("e")[1]?.value == ["id": 1, "\u{E9}": 10, "e\u{301}_": 20])
        #expect(report.faults.map(\.collection) == ["e"] && report.faults[0].reason.contains("in other scalars"))
    }

    /// Rows without a key go by their numbers, also where a column has the name by which SQLite tells these.
    @Test(arguments: Engine.allCases) func rowNumbers(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "numbers.db",
            """
            CREATE TABLE plain (rowid TEXT, "OID" INTEGER, code TEXT UNIQUE);
            CREATE TABLE up (id INTEGER PRIMARY KEY, plain TEXT REFERENCES plain(code));
            INSERT INTO plain VALUES ('a', 1, 'x'), ('a', 1, 'y'), (NULL, NULL, 'z');
            INSERT INTO up VALUES (1, 'y'), (2, 'z');
            """)
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path))
        #expect(report.isComplete && report.stored == 5, "\(report)")
        let (plain, up) = (try fixture.store.imported("plain", by: "code"), try fixture.store.imported("up"))
        #expect(plain["y"]?.value == ["rowid": "a", "OID": 1, "code": "y"])
        #expect(up[1]?["plain"] == plain["y"]?.reference && up[2]?["plain"] == plain["z"]?.reference)
    }

    /// SQLite has several rows with NULL in their key, and keys of data.
    @Test(arguments: Engine.allCases) func oddKeys(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "keys.db",
            """
            CREATE TABLE codes (code TEXT PRIMARY KEY, n INTEGER);
            CREATE TABLE pairs (a INTEGER, b TEXT, n INTEGER, PRIMARY KEY (a, b));
            CREATE TABLE bytes (id BLOB PRIMARY KEY, up BLOB REFERENCES bytes);
            INSERT INTO codes VALUES (NULL, 1), (NULL, 2), ('x', 3);
            INSERT INTO pairs VALUES (1, NULL, 1), (1, NULL, 2), (1, 'x', 3);
            INSERT INTO bytes VALUES (x'0001', NULL), (x'0002', x'0001');
            """)
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path))
        #expect(report.isComplete && report.stored == 8, "\(report)")
        #expect(try fixture.store.imported("codes", by: "n")[2]?.value == ["code": .null, "n": 2])
        let bytes = try fixture.store.imported("bytes")
        #expect(bytes[.data(Data([0, 2]))]?["up"] == bytes[.data(Data([0, 1]))]?.reference)
        let again = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(existing: .skip))
        #expect(again.stored == 0 && again.isComplete)
    }

    /// SQLite stores decimals as doubles where they have a part behind the point.
    @Test(arguments: Engine.allCases) func decimalsOfAModel(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite("prices.db", "CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, price DECIMAL(10, 2)); INSERT INTO album VALUES (1, 'a', 5.5), (2, 'b', 5), (3, 'c', 0.1), (4, 'd', NULL);")
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Album.self) }
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(models: ["album": "Record"]))
        #expect(report.isComplete)
        #expect(try fixture.store.fetch(Album.self).all().map(\.price) == [Decimal(string: "5.5"), 5, Decimal(string: "0.1"), nil])
    }

    /// A name that two attributes would have is a mistake of the options, and no reason to lose one of them.
    @Test(arguments: [["a": "b"], ["a": "c", "b": "c"], ["t": "b"]]) func namesThatMeet(names: [String: String]) throws {
        let files = try SourceFiles()
        let path = try files.sqlite("t.db", "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, t INTEGER REFERENCES p); INSERT INTO t VALUES (1, 'x', 'y', NULL);")
        let rows = try files.write("t.csv", "id,a,b,t\n1,x,y,z\n")
        let fixture = try emptyStore()
        for path in [path, rows] {
            #expect { try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true, names: ["t": names])) } throws: {
                if case ImportError.invalidOption(let reason) = $0 { reason.contains("two attributes of 't'") } else { false }
            }
            #expect(try fixture.store.collectionNames().isEmpty)
        }
        // Names may be exchanged, and one may take the place of what is left out.
        for (path, options) in [(path, ["a": "b", "b": "a"]), (rows, ["a": "b", "b": ""])] {
            _ = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(existing: .replace, names: ["t": options]))
            #expect(try fixture.store.imported("t")[1]?["b"] == "x")
        }
    }
}
