import Foundation
import TestSupport
import Testing
import Trove
import TroveImport

/// Any SQLite database.
@Suite struct TableImportTests {
    static let music = """
        CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT NOT NULL, released DATE, is_live BOOLEAN, code TEXT UNIQUE, cover BLOB);
        CREATE TABLE song (id INTEGER PRIMARY KEY, album_id INTEGER REFERENCES album, title TEXT, seconds REAL, plays INTEGER, added DATETIME, album_code TEXT REFERENCES album(code));
        CREATE TABLE rating (listener TEXT, song INTEGER REFERENCES song(id), stars, PRIMARY KEY (listener, song)) WITHOUT ROWID;
        CREATE TABLE note (text TEXT, listener TEXT, song INTEGER, FOREIGN KEY (listener, song) REFERENCES rating (listener, song));
        CREATE VIEW titles AS SELECT title FROM song;
        CREATE VIRTUAL TABLE words USING fts5(title);
        INSERT INTO album VALUES (1, 'Portrait in Jazz', '1960-03-01', 0, 'P1', x'00FF10'), (2, 'Waltz for Debby', '1962-02-03', 1, 'W2', NULL);
        INSERT INTO song VALUES (10, 1, 'Autumn Leaves', 360.5, 9007199254740993, '2026-03-01 12:30:05.250', 'W2'),
            (11, 2, 'My Foolish Heart', 296.0, 7, 'yesterday', NULL), (12, NULL, NULL, NULL, NULL, NULL, NULL), (13, 99, 'Solar', 1e300, -1, '2026-03-01T00:00:00+02:00', 'none');
        INSERT INTO rating VALUES ('ann', 10, 5), ('ann', 11, 'five'), ('bob', 10, 2.5);
        INSERT INTO note VALUES ('good', 'ann', 10), ('alone', NULL, 10);
        """

    @Test(arguments: Engine.allCases) func tablesAndForeignKeys(engine: Engine) throws {
        let files = try SourceFiles()
        let source = try ImportSource(path: files.sqlite("music.db", Self.music))
        let before = try files.contents()
        #expect(source.kind == .sqlite)
        let description = try source.describe()
        #expect(description.collections.map(\.name) == ["album", "note", "rating", "song"] && description.collections.map(\.count) == [2, 2, 3, 4])
        let song = try #require(description.collections.last)
        #expect(song.attributes.first { $0.name == "album_id" }.map { $0.targets == ["album"] && $0.kinds == ["reference": 3, "nil": 1] } == true)
        #expect(song.attributes.first { $0.name == "added" }?.kinds == ["date": 2, "text": 1, "nil": 1])

        let fixture = try emptyStore(engine)
        var steps: [Int] = []
        let report = try fixture.store.importDocuments(from: source) { steps.append($0.completed) }
        #expect(report.stored == 11 && report.collections.allSatisfy { $0.isVerified == true && $0.stored == $0.read })
        // One song points at albums that are not there, by their key and by another column.
        #expect(report.faultCount == 2 && report.faults[0].reason.contains("none of album") && report.faults[1].reason.contains("99 of album") && report.faults.allSatisfy { $0.place.contains("13") })
        let store = fixture.store
        let (albums, songs) = (try store.imported("album"), try store.imported("song"))
        let leaves = try #require(songs[10])
        #expect(albums[1]?.value == ["id": 1, "title": "Portrait in Jazz", "released": .date(Date(timeIntervalSince1970: -310_435_200)), "is_live": false, "code": "P1", "cover": .data(Data([0, 255, 16]))])
        #expect(leaves["album_id"] == albums[1]?.reference && leaves["plays"] == 9_007_199_254_740_993 && leaves["seconds"] == 360.5)
        #expect(leaves["added"] == .date(Date(timeIntervalSince1970: 1_772_368_205.25)))
        #expect(leaves["album_code"] == albums[2]?.reference, "a foreign key may lead to another column than the key")
        #expect(songs[11]?["added"] == "yesterday" && songs[12]?["album_id"] == .null && songs[13]?["album_code"] == "none")
        #expect(songs[13]?["added"] == .date(Date(timeIntervalSince1970: 1_772_316_000)))
        let ratings = try store.documents("rating").fetch().all()
        let ann = try #require(ratings.first { $0["listener"] == "ann" && $0["stars"] == 5 })
        #expect(ann["song"] == leaves.reference && ratings.contains { $0["stars"] == "five" } && ratings.contains { $0["stars"] == 2.5 })
        let notes = try store.imported("note", by: "text")
        #expect(notes["good"]?["listener_song"] == ann.reference && notes["alone"]?["listener_song"] == nil)
        // Everything can be asked for.
        #expect(try store.documents("song").fetch { $0["album_id"] == (albums[1]?.reference ?? .null) }.count() == 1)
        #expect(try files.contents() == before)
    }

    /// The same ids each time: what is there can stay, be replaced, or stop the import.
    @Test(arguments: Engine.allCases) func importingAgain(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite("music.db", Self.music)
        let fixture = try emptyStore(engine)
        let (store, songs) = (fixture.store, fixture.store.documents("song"))
        // Nothing is stored by looking.
        let tried = try store.importDocuments(from: ImportSource(path: path), ImportOptions(isDryRun: true))
        #expect(tried.isDryRun && tried.stored == 11 && tried.collections[0].isVerified == nil)
        #expect(try store.collectionNames().isEmpty)
        _ = try store.importDocuments(from: ImportSource(path: path))
        let all = try songs.fetch().all()
        #expect { try store.importDocuments(from: ImportSource(path: path)) } throws: {
            if case ImportError.alreadyThere(collection: "album", key: "1", _) = $0 { true } else { false }
        }
        var changed = try #require(try songs.fetch { $0["id"] == 10 }.first())
        changed["title"] = "changed"
        try songs.save(changed)
        try songs.delete(id: all[1].id)
        let skipped = try store.importDocuments(from: ImportSource(path: path), ImportOptions(existing: .skip))
        #expect(skipped.collections.map(\.skipped) == [2, 2, 3, 3] && skipped.stored == 1)
        #expect(try songs.fetch(id: changed.id)?["title"] == "changed" && songs.count() == 4)
        let replaced = try store.importDocuments(from: ImportSource(path: path), ImportOptions(existing: .replace))
        #expect(replaced.collections.map(\.replaced) == [2, 2, 3, 4] && replaced.collections.allSatisfy { $0.isVerified == true })
        #expect(try songs.fetch().all() == all)
        let refused = try store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true))
        #expect(refused.stored == 0 && refused.faultCount == 12 && !refused.isComplete && refused.collections.map(\.refused) == [2, 2, 3, 4])
    }

    /// A batch ends with some megabytes, too.
    @Test func largeRows() throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "large.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, d BLOB); INSERT INTO t SELECT value, zeroblob(3000000) FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 7) SELECT value FROM n)")
        let fixture = try emptyStore()
        var steps: [Int] = []
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true)) { steps.append($0.completed) }
        #expect(steps == [3, 6, 7] && report.isComplete && report.collections[0].isVerified == true, "\(steps) \(report)")
    }

    /// A log beside the file belongs to it, and is neither written nor removed.
    @Test func logsAndJournals() throws {
        let files = try SourceFiles()
        let path = try files.sqlite("music.db", Self.music, leavesLog: "INSERT INTO album (id, title) VALUES (3, 'Explorations')")
        let before = try files.contents()
        #expect(before.keys.contains { $0.hasSuffix("-wal") })
        let fixture = try emptyStore()
        _ = try fixture.store.importDocuments(from: ImportSource(path: path))
        #expect(try fixture.store.imported("album")[3]?["title"] == "Explorations")
        #expect(try files.contents() == before)
    }

    /// The log of a file is beside the file, not beside a link to it; and what nobody may write can be read.
    @Test func logsOfLinkedFiles() throws {
        let files = try SourceFiles()
        let path = try files.sqlite("music.db", Self.music, leavesLog: "INSERT INTO album (id, title) VALUES (3, 'Explorations')")
        for part in ["", "-wal"] { try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path + part) }
        let link = files.directory.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let before = try files.contents()
        for kind in [nil, ImportKind.sqlite] {
            let fixture = try emptyStore()
            let source = try ImportSource(path: link, kind: kind)
            #expect(source.path == link)
            _ = try fixture.store.importDocuments(from: source)
            #expect(try fixture.store.imported("album")[3]?["title"] == "Explorations")
        }
        #expect(try files.contents() == before)
    }

    @Test func oddTables() throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "odd.db",
            """
            CREATE TABLE "a ""b"" c" ("x y" TEXT, z GENERATED ALWAYS AS (length("x y")) STORED, "select" INTEGER);
            INSERT INTO "a ""b"" c" ("x y", "select") VALUES ('é', 1), (CAST(x'FF41' AS TEXT), 2), ('', NULL);
            CREATE TABLE keyed (code TEXT PRIMARY KEY, up TEXT REFERENCES keyed, away INTEGER REFERENCES missing(id));
            INSERT INTO keyed VALUES ('b', 'a', 5), ('a', 'b', NULL), ('c', 'c', 6);
            CREATE TABLE empty (id INTEGER PRIMARY KEY);
            CREATE TABLE twice (id INTEGER PRIMARY KEY, ID2 UUID);
            INSERT INTO twice VALUES (-5, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'), (9223372036854775807, x'00112233445566778899AABBCCDDEEFF'), (-9223372036854775808, NULL);
            """)
        let fixture = try emptyStore()
        let report = try fixture.store.importDocuments(from: ImportSource(path: path))
        #expect(report.stored == 9 && report.faultCount == 1 && report.faults[0].reason.contains("'missing'"))
        let odd = try fixture.store.imported("a \"b\" c", by: "select")
        #expect(odd[1]?.value == ["x y": "é", "z": 1, "select": 1] && odd[2]?["x y"] == .data(Data([0xFF, 0x41])))
        let keyed = try fixture.store.imported("keyed", by: "code")
        #expect(keyed["a"]?["up"] == keyed["b"]?.reference && keyed["c"]?["up"] == keyed["c"]?.reference && keyed["b"]?["away"] == 5)
        let twice = try fixture.store.imported("twice")
        #expect(twice[-5]?["ID2"] == .uuid(try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))) && twice.count == 3)
    }

    @Model("Record")
    fileprivate struct Album: Equatable {
        let id: Int
        @Attribute(.indexed) var title: String
        var released: Date?
        var is_live: Bool?
        var cover: Data?
    }

    @Model("Track")
    fileprivate struct Song: Equatable {
        let id: Int
        @Relationship var record: Reference<Album>?
        var title: String?
        var plays: Int?
    }

    /// Tables become the objects of models that the program has, with their types and rules.
    @Test(arguments: Engine.allCases) func intoModels(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite("music.db", Self.music)
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Album.self, Song.self) }
        let options = ImportOptions(
            inBatches: true, models: ["album": "Record", "song": "Track"],
            names: ["album": ["code": ""], "song": ["album_id": "record", "seconds": "", "added": "", "album_code": ""]])
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), options)
        #expect(report.stored == 11 && report.collections.allSatisfy { $0.isVerified == true })
        #expect(report.faults.map(\.reason).contains { $0.contains("99 of album") })
        let songs = try fixture.store.fetch(Song.self).all()
        #expect(songs.map(\.id) == [10, 11, 12, 13] && songs[0].plays == 9_007_199_254_740_993)
        #expect(try songs[0].record.map { try fixture.store.resolve($0) } == Album(id: 1, title: "Portrait in Jazz", released: Date(timeIntervalSince1970: -310_435_200), is_live: false, cover: Data([0, 255, 16])))
        #expect(try fixture.store.referencing(Album(id: 2, title: ""), from: Song.self, \.record).ids() == [11])
        // What the model cannot hold is told row by row, and the rest is stored.
        let wrong = try fixture.store.importDocuments(
            from: ImportSource(path: path), ImportOptions(existing: .replace, inBatches: true, models: ["album": "Record"], names: ["album": ["code": "", "released": "title", "title": ""]]))
        #expect(wrong.collections.first { $0.name == "album" }.map { $0.refused == 2 && $0.stored == 0 } == true)
        #expect(try fixture.store.fetch(Album.self, id: 1)?.title == "Portrait in Jazz")
        #expect(throws: ImportError.self) { try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(models: ["album": "None"])) }
        #expect(try fixture.store.verify().isSound)
    }

    private struct Idle: Error {}

    @Model("Shift")
    fileprivate struct Shift: ValidatedModel, Equatable {
        let id: Int
        var hours: Int

        func validate() throws { if hours < 1 { throw Idle() } }
    }

    /// A row whose object refuses itself is one that the store does not take.
    @Test(arguments: Engine.allCases) func rowsThatRefuseThemselves(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite("week.db", "CREATE TABLE shift (id INTEGER PRIMARY KEY, hours INTEGER); INSERT INTO shift VALUES (1, 8), (2, 0), (3, 24);")
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Shift.self) }
        #expect(throws: ImportError.self) { try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(models: ["shift": "Shift"])) }
        #expect(try fixture.store.fetch(Shift.self).count() == 0)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true, models: ["shift": "Shift"]))
        #expect(report.stored == 2 && report.faults.map(\.reason) == ["\(Idle())"])
        #expect(try fixture.store.fetch(Shift.self).all() == [Shift(id: 1, hours: 8), Shift(id: 3, hours: 24)])
    }

    @Model("Crew")
    fileprivate struct Crew: ValidatedModel, Equatable {
        let id: Int
        @Relationship(inverse: \Sailor.crew) var sailors: [Reference<Sailor>] = []

        func validate() throws { if sailors.count > 1 { throw Idle() } }
    }

    @Model("Sailor")
    fileprivate struct Sailor: Equatable {
        let id: Int
        @Relationship var crew: Reference<Crew>?
    }

    /// A row that the other side refuses is passed over alone, and nothing is left of it.
    @Test(arguments: Engine.allCases) func rowsThatTheOtherSideRefuses(engine: Engine) throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "crews.db",
            """
            CREATE TABLE crew (id INTEGER PRIMARY KEY);
            CREATE TABLE sailor (id INTEGER PRIMARY KEY, crew INTEGER REFERENCES crew);
            INSERT INTO crew VALUES (1), (2);
            INSERT INTO sailor VALUES (1, 1), (2, 1), (3, 2), (4, NULL), (5, 2);
            """)
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Crew.self, Sailor.self) }
        let models = ["crew": "Crew", "sailor": "Sailor"]
        let tried = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(models: models, isDryRun: true))
        #expect(tried.stored == 5 && tried.faultCount == 2)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true, models: models))
        #expect(report.stored == 5 && report.faults.map(\.reason) == ["\(Idle())", "\(Idle())"])
        #expect(report.collections.map(\.refused) == [0, 2])
        #expect(try fixture.store.fetch(Sailor.self).ids().sorted() == [1, 3, 4])
        #expect(try fixture.store.fetch(Crew.self, id: 1)?.sailors.map(\.id) == [1])
        #expect(try fixture.store.verify().isSound)
    }
}
