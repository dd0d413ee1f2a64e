import Foundation
import TestSupport
import Testing
import Trove
import TroveImport

/// The files of the libraries that Trove continues.
@Suite struct LibraryImportTests {
    private let files: SourceFiles
    private let fixture: StoreFixture

    init() throws {
        files = try SourceFiles()
        fixture = try emptyStore()
    }

    private func run(_ path: String, _ kind: ImportKind) throws -> ImportReport {
        let source = try ImportSource(path: path)
        #expect(source.kind == kind)
        let before = try files.contents()
        _ = try source.describe()
        let report = try fixture.store.importDocuments(from: source, ImportOptions(inBatches: true))
        #expect(try files.contents() == before)
        #expect(report.collections.allSatisfy { $0.isVerified == true })
        return report
    }

    private func plist(_ value: [String: Any]) throws -> String {
        String(decoding: try PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0), as: UTF8.self).replacingOccurrences(of: "'", with: "''")
    }

    @Test func nanoStore() throws {
        let (one, two) = ("11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222")
        let path = try files.sqlite(
            "nano.db",
            """
            CREATE TABLE NSFValues(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFAttribute TEXT, NSFValue NONE, NSFDatatype TEXT);
            CREATE TABLE NSFKeys(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFPlist TEXT, NSFCalendarDate TEXT, NSFObjectClass TEXT);
            INSERT INTO NSFKeys (NSFKey, NSFPlist, NSFCalendarDate, NSFObjectClass) VALUES
                ('\(one)', '\(try plist(["name": "Tito", "age": 41, "address": ["city": "Paris", "zip": "007"], "when": Date(timeIntervalSinceReferenceDate: 5)]))', '2010-01-01', 'Person'),
                ('\(two)', 'no property list', NULL, 'Person'),
                ('bag', '\(try plist(["NSF_Private_NSFNanoBag_NSFKey": "bag", "NSF_Private_NSFNanoBag_NSFObjectKeys": [two, one, "gone"], "NSF_Private_NSFNanoBag_Name": "my bag"]))', NULL, 'NSFNanoBag'),
                ('lost', x'00', NULL, 'Person');
            INSERT INTO NSFValues (NSFKey, NSFAttribute, NSFValue, NSFDatatype) VALUES
                ('\(two)', 'name', 'Ann', 'TEXT'), ('\(two)', 'address.city', 'Oslo', 'TEXT'), ('\(two)', 'tags', 'a', 'TEXT'), ('\(two)', 'tags', 'b', 'TEXT'), ('\(two)', 'age', 7.0, 'REAL');
            """)
        let report = try run(path, .nanoStore)
        #expect(report.collections.map { "\($0.name) \($0.stored)" } == ["Person 2"])
        let people = try fixture.store.imported("Person", by: "name")
        #expect(
            people["Tito"]?.value == [
                "name": "Tito", "age": 41, "address": ["city": "Paris", "zip": "007"], "when": .date(Date(timeIntervalSinceReferenceDate: 5)), "NSFCalendarDate": "2010-01-01",
            ])
        #expect(people["Tito"]?.id == ObjectID(one) && people["Tito"]?.className == "Person")
        #expect(people["Ann"]?.value == ["name": "Ann", "address": ["city": "Oslo"], "tags": ["a", "b"], "age": 7])
        #expect(try fixture.store.bag(named: "my bag")?.documents("Person").all().map { $0["name"] } == ["Ann", "Tito"])
        #expect(report.faultCount == 3 && report.faults.contains { $0.place.contains("lost") } && report.faults.contains { $0.reason.contains("gone") })
        // What was put together from its values is told.
        #expect(report.faults.contains { $0.place.contains(two) && $0.reason.contains("no borders") })
    }

    /// Later versions keep the dictionaries as keyed archives.
    @Test(arguments: Engine.allCases) func nanoStoreArchives(engine: Engine) throws {
        let path = try files.sqlite(
            "later.db",
            """
            CREATE TABLE NSFValues(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFAttribute TEXT, NSFValue NONE, NSFDatatype TEXT);
            CREATE TABLE NSFKeys(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFKeyedArchive BLOB, NSFCalendarDate TEXT, NSFObjectClass TEXT);
            INSERT INTO NSFKeys (NSFKey, NSFKeyedArchive, NSFCalendarDate, NSFObjectClass) VALUES
                ('11111111-1111-4111-8111-111111111111', \(Fixture.literal("values.archive")), '2021-07-25 14:12:28:750', 'Everything'), ('round', \(Fixture.literal("circle.archive")), NULL, 'Thing');
            INSERT INTO NSFValues (NSFKey, NSFAttribute, NSFValue, NSFDatatype) VALUES ('round', 'a', 'x', 'TEXT'), ('round', 'a', 'y', 'TEXT');
            """)
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true))
        #expect(report.collections.map { "\($0.name) \($0.stored)" } == ["Everything 1", "Thing 1"] && report.collections.allSatisfy { $0.isVerified == true })
        #expect(report.faultCount == 1 && report.faults[0].place == "the key round" && report.faults[0].reason.contains("no borders"))
        #expect(report.faults[0].reason.contains("inside of itself"), "what is wrong with the dictionary")
        let everything = try #require(try fixture.store.documents("Everything").fetch().first())
        // Arrays have their borders, and integers are no doubles.
        #expect(everything["array"] == ["x", [1, .null]] && everything["int"] == -7 && everything["date"] == .date(Date(timeIntervalSinceReferenceDate: 700_000_000.5)))
        #expect(everything["NSFCalendarDate"] == "2021-07-25 14:12:28:750" && everything.className == "Everything")
        #expect(try fixture.store.documents("Thing").fetch().first()?["a"] == ["x", "y"])
    }

    /// Where a class is only in its objects, nobody knows whether there is one without.
    @Test(arguments: Engine.allCases) func optionsOfClassesWithoutObjects(engine: Engine) throws {
        let key = "11111111-1111-4111-8111-111111111111"
        _ = try files.write("fringe/\(key).fds", #"{"root": "\#(key)", "\#(key)": {"class": "Team", "uuid": "\#(key)"}}"#)
        let paths = [
            try files.sqlite(
                "nano.db",
                """
                CREATE TABLE NSFValues(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFAttribute TEXT, NSFValue NONE, NSFDatatype TEXT);
                CREATE TABLE NSFKeys(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFPlist TEXT, NSFCalendarDate TEXT, NSFObjectClass TEXT);
                INSERT INTO NSFKeys (NSFKey, NSFPlist, NSFObjectClass) VALUES ('\(key)', '\(try plist(["name": "Tito"]))', 'Person');
                """),
            try files.sqlite(
                "bz.db",
                """
                CREATE TABLE __BZObjectStoreAttribute__ (tableName TEXT, className TEXT, attributeName TEXT, attributeType TEXT);
                CREATE TABLE __BZObjectStoreRelationship__ (fromClassName TEXT, fromTableName TEXT, fromAttributeName TEXT, fromRowid INTEGER, toClassName TEXT, toTableName TEXT, toRowid INTEGER,
                    attributeLevel INTEGER, attributeSequence INTEGER, attributeParentLevel INTEGER, attributeParentSequence INTEGER, attributeKey TEXT, attributeValue TEXT);
                CREATE TABLE Book (title TEXT);
                INSERT INTO Book VALUES ('one');
                """),
            try files.sqlite("po.db", "CREATE TABLE SQLITESEQUENCE (name TEXT, seq INTEGER); CREATE TABLE post (pk INTEGER PRIMARY KEY, title TEXT); INSERT INTO post VALUES (1, 'x')"),
            files.directory.file("fringe"), Fixture.path("people.archive"),
        ]
        for (path, kind) in zip(paths, [.nanoStore, .bzObjectStore, .sqlitePersistentObjects, .fringeData, .keyedArchive] as [ImportKind]) {
            let fixture = try emptyStore(engine)
            for inBatches in [false, true] {
                let source = try ImportSource(path: path)
                #expect(source.kind == kind)
                let options = ImportOptions(existing: .skip, inBatches: inBatches, names: ["Address Book": ["name": "title"]])
                let report = try fixture.store.importDocuments(from: source, options)
                #expect(report.isComplete && (report.stored > 0) == !inBatches, "\(kind): \(report)")
            }
        }
    }

    @Test func bzObjectStore() throws {
        let path = try files.sqlite(
            "bz.db",
            """
            CREATE TABLE __BZObjectStoreAttribute__ (tableName TEXT, className TEXT, attributeName TEXT, attributeType TEXT);
            CREATE TABLE __BZObjectStoreRelationship__ (fromClassName TEXT, fromTableName TEXT, fromAttributeName TEXT, fromRowid INTEGER, toClassName TEXT, toTableName TEXT, toRowid INTEGER,
                attributeLevel INTEGER, attributeSequence INTEGER, attributeParentLevel INTEGER, attributeParentSequence INTEGER, attributeKey TEXT, attributeValue TEXT);
            CREATE TABLE Author (name TEXT, born REAL, alive INTEGER, __createdAt__ REAL);
            CREATE TABLE Book (title TEXT);
            INSERT INTO __BZObjectStoreAttribute__ VALUES ('Author', 'BZAuthor', 'born', 'NSDate'), ('Author', 'BZAuthor', 'alive', 'BOOL');
            INSERT INTO Author VALUES ('Ann', 86400.5, 1, 1), ('Bo', NULL, 0, 1);
            INSERT INTO Book VALUES ('one'), ('two'), ('three');
            INSERT INTO __BZObjectStoreRelationship__ (fromTableName, fromAttributeName, fromRowid, toTableName, toRowid, attributeLevel, attributeSequence, attributeKey) VALUES
                ('Book', 'author', 1, 'Author', 1, 0, 1, NULL),
                ('Author', 'books', 1, 'Book', 3, 1, 1, NULL), ('Author', 'books', 1, 'Book', 1, 1, 2, NULL),
                ('Author', 'books', 2, 'Book', 2, 1, 1, NULL),
                ('Author', 'named', 1, 'Book', 2, 1, 1, 'best'), ('Author', 'named', 1, 'Book', 3, 1, 2, 'last');
            """)
        let report = try run(path, .bzObjectStore)
        #expect(report.stored == 5 && report.isComplete)
        let (authors, books) = (try fixture.store.imported("BZAuthor", by: "name"), try fixture.store.imported("Book", by: "title"))
        func id(_ title: StoredValue) -> StoredValue { books[title]?.reference ?? .null }
        #expect(
            authors["Ann"]?.value == [
                "name": "Ann", "born": .date(Date(timeIntervalSince1970: 86_400.5)), "alive": true, "books": .array([id("three"), id("one")]), "named": .object(["best": id("two"), "last": id("three")]),
            ])
        #expect(authors["Bo"]?["books"] == .array([id("two")]) && books["one"]?["author"] == authors["Ann"]?.reference && books["two"]?["author"] == nil)
    }

    @Test func sqlitePersistentObjects() throws {
        let path = try files.sqlite(
            "po.db",
            """
            CREATE TABLE SQLITESEQUENCE (name TEXT, seq INTEGER);
            CREATE TABLE post (pk INTEGER PRIMARY KEY, title TEXT, first_author TEXT, read_count INTEGER);
            CREATE TABLE post_comment (pk INTEGER PRIMARY KEY, body_text TEXT);
            CREATE TABLE post_comments (parent_pk, array_index INTEGER, fk INTEGER, fk_table_name TEXT, object_data TEXT, object_class BLOB, PRIMARY KEY (parent_pk, array_index));
            CREATE TABLE post_tags (parent_pk INTEGER, fk INTEGER, fk_table_name TEXT, object_data BLOB, object_class TEXT);
            CREATE TABLE post_by_name (parent_pk integer, dictionary_key TEXT, fk INTEGER, fk_table_name TEXT, object_data BLOB, object_class TEXT, PRIMARY KEY (parent_pk, dictionary_key));
            INSERT INTO post VALUES (1, 'Hello', 'PostComment-2', 5), (2, 'A-1', NULL, NULL);
            INSERT INTO post_comment VALUES (1, 'first'), (2, 'second');
            INSERT INTO post_comments VALUES (1, 1, 1, 'post_comment', NULL, NULL), (1, 0, 2, 'post_comment', NULL, NULL);
            INSERT INTO post_tags VALUES (1, NULL, NULL, 'red', 'NSString'), (1, NULL, NULL, 'blue', 'NSString');
            INSERT INTO post_by_name VALUES (1, 'a', 1, 'post_comment', NULL, NULL), (2, 'n', NULL, NULL, '7', 'NSNumber');
            """)
        let report = try run(path, .sqlitePersistentObjects)
        #expect(report.stored == 4 && report.isComplete)
        let (posts, comments) = (try fixture.store.imported("Post", by: "title"), try fixture.store.imported("PostComment", by: "bodyText"))
        let (first, second) = (comments["first"]?.reference ?? .null, comments["second"]?.reference ?? .null)
        #expect(
            posts["Hello"]?.value == [
                "title": "Hello", "firstAuthor": second, "readCount": 5, "comments": .array([second, first]), "tags": ["red", "blue"], "byName": .object(["a": first]),
            ])
        #expect(posts["A-1"]?.value == ["title": "A-1", "firstAuthor": .null, "readCount": .null, "comments": [], "tags": [], "byName": ["n": "7"]])
    }

    /// Collections may have objects and values together, and a class a property of the name that collections have.
    @Test func sqlitePersistentObjectsThatAreOdd() throws {
        let path = try files.sqlite(
            "odd.db",
            """
            CREATE TABLE SQLITESEQUENCE (name TEXT, seq INTEGER);
            CREATE TABLE post (pk INTEGER PRIMARY KEY, title TEXT);
            CREATE TABLE folder (pk INTEGER PRIMARY KEY, parent_pk INTEGER, name TEXT);
            CREATE TABLE post_things (parent_pk INTEGER, array_index INTEGER, fk INTEGER, fk_table_name TEXT, object_data TEXT, object_class TEXT);
            CREATE TABLE post_by_name (parent_pk INTEGER, dictionary_key TEXT, fk INTEGER, fk_table_name TEXT, object_data TEXT, object_class TEXT);
            CREATE TABLE gone_things (parent_pk INTEGER, fk INTEGER, fk_table_name TEXT, object_data TEXT, object_class TEXT);
            INSERT INTO post VALUES (1, 'one');
            INSERT INTO folder VALUES (1, 7, 'inner');
            INSERT INTO post_things VALUES (1, 0, 1, 'folder', NULL, NULL), (1, 1, NULL, NULL, 'red', 'NSString'), (1, 2, 9, 'folder', NULL, NULL);
            INSERT INTO post_by_name VALUES (1, 'a', 1, 'folder', NULL, NULL), (1, 'b', NULL, NULL, 'blue', 'NSString');
            """)
        let things = try #require(try ImportSource(path: path).describe().collections.last { $0.name == "Post" }?.attributes.first { $0.name == "things" })
        #expect(things.kinds == ["array": 1] && things.targets == ["Folder"])
        let report = try run(path, .sqlitePersistentObjects)
        let folder = try #require(try fixture.store.imported("Folder", by: "name")["inner"])
        #expect(folder["parentPk"] == 7)
        let post = try #require(try fixture.store.imported("Post", by: "title")["one"])
        guard case .array(let members)? = post["things"] else { throw SourceError(reason: "no things in \(post)") }
        #expect(members.count == 3 && Array(members.array.prefix(2)) == [folder.reference, "red"])
        #expect(post["byName"] == .object(["a": folder.reference, "b": "blue"]))
        // What is not there is told, of a list as of a table.
        #expect(report.faultCount == 2 && report.faults[0].place == "the table gone_things" && report.faults[1].reason.contains("9 of Folder"), "\(report)")
    }

    @Test func fringeData() throws {
        let (a, b, c) = ("AAAAAAAA-1111-4111-8111-111111111111", "BBBBBBBB-2222-4222-8222-222222222222", "CCCCCCCC-3333-4333-8333-333333333333")
        _ = try files.write("fringe/\(a).fds", #"{"root": "\#(a)", "\#(a)": {"class": "Team", "uuid": "\#(a)", "name": "Reds", "players": ["\#(b)"], "captain": "\#(b)", "indexPaths": {"x": "y"}}, "\#(b)": {"class": "Player", "uuid": "\#(b)", "team": "\#(a)", "goals": 3, "data": "AQI="}}"#)
        _ = try files.write("fringe/\(c).fds", #"{"root": "\#(c)", "\#(c)": {"uuid": "\#(c)"}}"#)
        _ = try files.write("fringe/bad.fds", "{")
        _ = try files.write("fringe/list.fds", "[]")
        let report = try run(files.directory.file("fringe"), .fringeData)
        #expect(report.stored == 2 && report.faults.count == 3 && report.faults.contains { $0.place == "bad.fds" } && report.faults.contains { $0.place == "list.fds" && $0.reason.contains("no object") } && report.faults.contains { $0.reason.contains("no class") })
        let team = try #require(try fixture.store.documents("Team").fetch().first())
        let player = try #require(try fixture.store.documents("Player").fetch().first())
        #expect(team.id == ObjectID(a) && team.value == ["uuid": .string(a), "name": "Reds", "players": .array([player.reference]), "captain": player.reference])
        #expect(player.value == ["uuid": .string(b), "team": team.reference, "goals": 3, "data": "AQI="])
    }

    /// What a file of a relation has is in an object, or told.
    @Test func parseRelationsThatHaveNoPlace() throws {
        _ = try files.write("odd/Song.json", #"{"results": [{"objectId": "s1", "writers": {"__type": "Relation", "className": "Song"}}, {"objectId": "s2"}]}"#)
        _ = try files.write("odd/_Join:writers:Song.json", #"{"results": [{"owningId": "s1", "relatedId": "s2"}, {"owningId": "s1"}, {"owningId": "s2", "relatedId": "s1"}, {"owningId": "s3", "relatedId": "s1"}]}"#)
        _ = try files.write("odd/_Join:tags:Gone.json", #"{"results": [{"owningId": "g1", "relatedId": "s1"}]}"#)
        let report = try run(files.directory.file("odd"), .parse)
        let songs = try fixture.store.imported("Song", by: "objectId")
        #expect(report.stored == 2 && songs["s1"]?["writers"] == .array([songs["s2"]?.reference ?? .null]))
        #expect(report.faults.map(\.place) == ["the object 2 of _Join:writers:Song", "the file _Join:tags:Gone", "the file _Join:writers:Song"], "\(report)")
        #expect(report.faults.last?.reason.hasPrefix("2 of the objects") == true)
    }

    @Test func parse() throws {
        _ = try files.write("parse/Song.json", #"""
            {"results": [{"objectId": "s1", "createdAt": "2014-01-02T03:04:05.678Z", "title": "Solar", "album": {"__type": "Pointer", "className": "Album", "objectId": "a1"},
              "when": {"__type": "Date", "iso": "2014-01-02T00:00:00.000Z"}, "place": {"__type": "GeoPoint", "latitude": 59.9, "longitude": 10.7},
              "bytes": {"__type": "Bytes", "base64": "AQI="}, "file": {"__type": "File", "name": "x.png", "url": "http://x"}, "writers": {"__type": "Relation", "className": "Person"},
              "others": [{"__type": "Pointer", "className": "Song", "objectId": "s2"}]}, {"objectId": "s2"}, {"title": "no id"}]}
            """#)
        _ = try files.write("parse/Album.json", #"{"results": [{"objectId": "a1"}]}"#)
        _ = try files.write("parse/Person.json", #"{"results": [{"objectId": "p1"}, {"objectId": "p2"}]}"#)
        _ = try files.write("parse/_Join:writers:Song.json", #"{"results": [{"objectId": "j1", "owningId": "s1", "relatedId": "p2"}, {"objectId": "j2", "owningId": "s1", "relatedId": "p1"}]}"#)
        let report = try run(files.directory.file("parse"), .parse)
        #expect(report.stored == 5 && report.faults.map(\.place) == ["the object 3 of Song"])
        let (songs, people) = (try fixture.store.imported("Song", by: "objectId"), try fixture.store.imported("Person", by: "objectId"))
        let album = try #require(try fixture.store.documents("Album").fetch().first())
        let song = try #require(songs["s1"])
        #expect(song["album"] == album.reference && song["when"] == .date(Date(timeIntervalSince1970: 1_388_620_800)) && song["createdAt"] == .date(Date(timeIntervalSince1970: 1_388_631_845.678)))
        #expect(song["place"] == GeoPoint(latitude: 59.9, longitude: 10.7).map { .geoPoint($0) } && song["bytes"] == .data(Data([1, 2])) && song["file.name"] == "x.png")
        #expect(song["writers"] == .array([people["p2"]?.reference ?? .null, people["p1"]?.reference ?? .null]) && song["others"] == .array([songs["s2"]?.reference ?? .null]))
    }
}
