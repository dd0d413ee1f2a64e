import Foundation
import TestSupport
import Testing
import Trove
import TroveImport

@Suite struct CoreDataImportTests {
    /// A store as Core Data writes one: entities with a parent, relationships to one and to many, order, dates, decimals, UUIDs and data beside the file.
    private static func store(_ files: SourceFiles) throws -> String {
        let path = try files.sqlite(
            "Library.sqlite",
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Album', 0, 2), (2, 'Media', 0, 4), (3, 'Film', 2, 0), (4, 'Song', 2, 0), (5, 'Tag', 0, 2);
            CREATE TABLE ZALBUM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISLIVE INTEGER, ZTITLE VARCHAR, ZRELEASED TIMESTAMP, ZPRICE DECIMAL, ZIDENTIFIER BLOB);
            CREATE TABLE ZMEDIA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZALBUM INTEGER, Z_FOK_ALBUM INTEGER, ZSEQUEL INTEGER, ZPLAYS INTEGER, ZNAME VARCHAR, ZWIDTH FLOAT, ZSCAN BLOB, ZMOOD VARCHAR);
            CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWORD VARCHAR);
            CREATE TABLE Z_2TAGS (Z_2MEDIAS INTEGER, Z_5TAGS INTEGER, Z_FOK_5TAGS INTEGER, PRIMARY KEY (Z_2MEDIAS, Z_5TAGS));
            CREATE INDEX ZMEDIA_ZALBUM_INDEX ON ZMEDIA (ZALBUM);
            CREATE INDEX ZMEDIA_ZSEQUEL_INDEX ON ZMEDIA (ZSEQUEL);
            INSERT INTO ZALBUM VALUES (1, 1, 1, 0, 'Portrait', 0.5, 12.10, x'00112233445566778899AABBCCDDEEFF'), (2, 1, 3, 1, 'Waltz', NULL, NULL, NULL);
            INSERT INTO ZMEDIA VALUES (1, 4, 1, 1, 1024, NULL, 7, 'Leaves', NULL, x'02\("0C8B0C9A-0000-4000-8000-000000000001".utf8.map { String($0, radix: 16) }.joined())00', 'calm'),
                (2, 4, 1, 1, 512, 3, 8, 'Heart', NULL, x'01AABB', NULL), (3, 3, 1, NULL, NULL, NULL, NULL, 'A film', 1.5, NULL, NULL), (4, 9, 1, NULL, NULL, NULL, NULL, 'odd', NULL, NULL, NULL);
            INSERT INTO ZTAG VALUES (1, 5, 1, 'jazz'), (2, 5, 1, 'piano');
            INSERT INTO Z_2TAGS VALUES (1, 1, 2), (1, 2, 1), (2, 1, 1);
            """)
        _ = try files.write(".Library_SUPPORT/_EXTERNAL_DATA/0C8B0C9A-0000-4000-8000-000000000001", Data(repeating: 9, count: 3_000))
        return path
    }

    @Test(arguments: Engine.allCases) func entities(engine: Engine) throws {
        let files = try SourceFiles()
        let source = try ImportSource(path: Self.store(files))
        let before = try files.contents()
        #expect(source.kind == .coreData)
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: source, ImportOptions(inBatches: true))
        #expect(report.collections.map { "\($0.name) \($0.stored)" } == ["Album 2", "Film 1", "Song 2", "Tag 2"])
        #expect(report.faultCount == 1 && report.faults[0].place == "the row 4 of ZMEDIA")
        let store = fixture.store
        let (albums, songs, tags) = (try store.imported("Album", by: "title"), try store.imported("Song", by: "name"), try store.imported("Tag", by: "word"))
        let film = try #require(try store.documents("Film").fetch().first())
        func tag(_ word: StoredValue) -> StoredValue { tags[word]?.reference ?? .null }
        #expect(
            albums["Portrait"]?.value == [
                "islive": 0, "title": "Portrait", "released": .date(Date(timeIntervalSinceReferenceDate: 0.5)), "price": .decimal(Decimal(string: "12.1") ?? 0),
                "identifier": .uuid(try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))),
            ])
        #expect(albums["Waltz"]?["released"] == .null && albums["Waltz"]?.className == "Album")
        #expect(
            songs["Leaves"]?.value == [
                "album": albums["Portrait"]?.reference ?? .null, "plays": 7, "name": "Leaves", "scan": .data(Data(repeating: 9, count: 3_000)), "mood": "calm",
                "tags": .array([tag("piano"), tag("jazz")]),
            ])
        #expect(songs["Heart"]?["scan"] == .data(Data([0xAA, 0xBB])) && songs["Heart"]?["sequel"] == film.reference && songs["Heart"]?["tags"] == .array([tag("jazz")]))
        #expect(film.value == ["name": "A film", "width": 1.5, "tags": []] && film.className == "Film")
        guard case .array(let medias)? = tags["jazz"]?["medias"] else { throw SourceError(reason: "no medias") }
        #expect(medias.array == [songs["Leaves"]?.reference, songs["Heart"]?.reference])
        #expect(try files.contents() == before)
    }

    /// Data beside the file is beside the file, not beside a link to it.
    @Test func linkedFiles() throws {
        let files = try SourceFiles()
        let path = try Self.store(files)
        let folder = files.directory.file("elsewhere")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder + "/Linked.sqlite", withDestinationPath: path)
        let fixture = try emptyStore()
        _ = try fixture.store.importDocuments(from: ImportSource(path: folder + "/Linked.sqlite"), ImportOptions(inBatches: true))
        #expect(try fixture.store.imported("Song", by: "name")["Leaves"]?["scan"] == .data(Data(repeating: 9, count: 3_000)))
    }

    /// A decimal is what all of a text is; another text stays one.
    @Test func decimalsThatAreTexts() throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "Prices.sqlite",
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Price', 0, 3); CREATE TABLE ZPRICE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZAMOUNT DECIMAL);
            INSERT INTO ZPRICE VALUES (1, 1, 1, 'a', '12abc'), (2, 1, 1, 'b', 0.1), (3, 1, 1, 'c', '1 2');
            """)
        let fixture = try emptyStore()
        #expect(try fixture.store.importDocuments(from: ImportSource(path: path)).isComplete)
        let found = try fixture.store.imported("Price", by: "name")
        #expect(["a", "b", "c"].map { found[$0]?["amount"] } == ["12abc", .decimal(Decimal(string: "0.1") ?? 0), "1 2"])
    }

    @Test func whatIsNotThere() throws {
        let files = try SourceFiles()
        let path = try Self.store(files)
        try FileManager.default.removeItem(atPath: files.directory.file(".Library_SUPPORT"))
        let fixture = try emptyStore()
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true))
        #expect(report.faults.contains { $0.reason.contains("'scan'") } && report.stored == 7)
        #expect(try fixture.store.imported("Song", by: "name")["Leaves"]?["scan"] == nil)
    }

    /// The same store with the model that Core Data keeps in it.
    static func storeWithModel(_ files: SourceFiles, cache: String? = nil) throws -> String {
        try files.sqlite(
            "Modelled.sqlite",
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            INSERT INTO Z_MODELCACHE VALUES (\(cache ?? Fixture.literal("model.cache")));
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Album', 0, 2), (2, 'Media', 0, 4), (3, 'Film', 2, 0), (4, 'Song', 2, 0), (5, 'Tag', 0, 2);
            CREATE TABLE ZALBUM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISLIVE INTEGER, ZRELEASED TIMESTAMP, ZPRICE DECIMAL, ZTITLE VARCHAR, ZWEBSITE VARCHAR, ZIDENTIFIER BLOB, ZLABELS BLOB);
            CREATE TABLE ZMEDIA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZALBUM INTEGER, Z_FOK_ALBUM INTEGER, ZSEQUEL INTEGER, Z2_SEQUEL INTEGER, ZPLAYCOUNT INTEGER, ZASPECTRATIO FLOAT,
                ZNAME VARCHAR, ZNAME1 VARCHAR, ZKEY INTEGER, ZSCAN BLOB, ZRAWDATA BLOB, ZEXTRA VARCHAR);
            CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWORD VARCHAR, Z1COVERS INTEGER);
            CREATE TABLE Z_2TAGS (Z_2TAGGEDMEDIAS INTEGER, Z_5TAGS INTEGER, Z_FOK_5TAGS INTEGER, PRIMARY KEY (Z_2TAGGEDMEDIAS, Z_5TAGS));
            CREATE TABLE Z_2COVERED (Z_2COVERED INTEGER, Z_2COVEREDBY INTEGER, PRIMARY KEY (Z_2COVERED, Z_2COVEREDBY));
            INSERT INTO Z_2COVERED VALUES (1, 3);
            CREATE INDEX ZMEDIA_ZALBUM_INDEX ON ZMEDIA (ZALBUM);
            INSERT INTO ZALBUM VALUES (1, 1, 1, 1, 0.5, 12.10, 'Portrait', 'https://example.org/p', x'00112233445566778899AABBCCDDEEFF', \(Fixture.literal("values.archive"))),
                (2, 1, 1, 0, 3, NULL, 'Waltz', 'no URL at all', NULL, x'626C6F62'), (3, 1, 1, 0, NULL, NULL, NULL, NULL, NULL, \(Fixture.literal("circle.archive")));
            INSERT INTO ZMEDIA VALUES (1, 4, 1, 1, 1024, NULL, NULL, 7, NULL, NULL, 'Leaves', 3, x'01AABB', x'00112233445566778899AABBCCDDEEFF', NULL),
                (2, 4, 1, 1, 512, 1, 4, NULL, NULL, NULL, 'Heart', NULL, NULL, NULL, 'more'), (3, 3, 1, NULL, NULL, 1, 4, 1, 2, 'A film', NULL, NULL, NULL, NULL, NULL);
            INSERT INTO ZTAG VALUES (1, 5, 1, 'jazz', 1), (2, 5, 1, 'piano', NULL);
            INSERT INTO Z_2TAGS VALUES (1, 1, 2), (1, 2, 1), (2, 1, 1);
            """)
    }

    @Test(arguments: Engine.allCases) func modelOfTheStore(engine: Engine) throws {
        let files = try SourceFiles()
        let source = try ImportSource(path: Self.storeWithModel(files))
        let before = try files.contents()
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: source, ImportOptions(inBatches: true))
        #expect(report.collections.map { "\($0.name) \($0.stored)" } == ["Album 3", "Film 1", "Song 2", "Tag 2"] && report.collections.allSatisfy { $0.isVerified == true })
        // Only the archive that holds itself is at fault, and a relationship that has no table.
        #expect(report.faultCount == 2 && report.faults.contains { $0.place == "the row 3 of ZALBUM" && $0.reason.contains("'labels'") && $0.reason.contains("inside of itself") })
        #expect(report.faults.contains { $0.collection == "Tag" && $0.reason.contains("'related'") && $0.reason.contains("left out") })
        let store = fixture.store
        let (albums, songs, tags) = (try store.imported("Album", by: "title"), try store.imported("Song", by: "name"), try store.imported("Tag", by: "word"))
        let (leaves, heart, portrait) = (try #require(songs["Leaves"]), try #require(songs["Heart"]), try #require(albums["Portrait"]))
        let film = try #require(try store.documents("Film").fetch().first())
        let (jazz, piano) = (try #require(tags["jazz"]), try #require(tags["piano"]))
        // In the names and types of the model: a Bool, a URL, what was archived; in the order of the relationship.
        #expect(portrait["isLive"] == true && portrait["price"] == .decimal(Decimal(string: "12.1") ?? 0) && portrait["released"] == .date(Date(timeIntervalSinceReferenceDate: 0.5)))
        let (website, identifier) = (try #require(URL(string: "https://example.org/p")), try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")))
        #expect(portrait["website"] == .url(website) && portrait["identifier"] == .uuid(identifier))
        #expect(portrait["labels.text"] == "é 漢字 😀" && portrait["labels.array[1][0]"] == 1)
        #expect(portrait["songs"] == .array([heart.reference, leaves.reference]) && portrait["covers"] == .array([jazz.reference]) && portrait["inMemory"] == nil)
        #expect(albums["Waltz"]?["isLive"] == false && albums["Waltz"]?["labels"] == .data(Data("blob".utf8)) && albums["Waltz"]?["released"] == .date(Date(timeIntervalSinceReferenceDate: 3)))
        #expect(albums["Waltz"]?["price"] == .null && albums["Waltz"]?["songs"] == [])
        #expect(try albums[.null]?["labels"] == .data(Fixture.data("circle.archive")))
        // An attribute of a name that another entity of the table has too, data of 16 bytes that is no UUID, and a column that the model does not know.
        #expect(
            leaves.value == [
                "album": portrait.reference, "sequel": .null, "playCount": 7, "name": "Leaves", "key": 3, "scan": .data(Data([0xAA, 0xBB])),
                "rawData": .data(Data((0...15).map { UInt8($0 * 0x11) })), "tags": .array([piano.reference, jazz.reference]),
                "covered": [], "coveredBy": .array([film.reference]),
            ])
        #expect(heart["extra"] == "more" && heart["playCount"] == .null && heart["sequel"] == leaves.reference)
        #expect(film.value == ["album": .null, "sequel": leaves.reference, "playCount": 1, "name": "A film", "aspectRatio": 2.0, "tags": [], "covered": .array([leaves.reference]), "coveredBy": []])
        #expect(jazz.value == ["word": "jazz", "taggedMedias": .array([leaves.reference, heart.reference])])
        #expect(try files.contents() == before)
    }

    @Test func declarations() throws {
        let files = try SourceFiles()
        let description = try ImportSource(path: Self.storeWithModel(files)).describe()
        func declared(_ collection: String, _ attribute: String) -> String? {
            description.collections.first { $0.name == collection }?.attributes.first { $0.name == attribute }?.declaration.map { "\($0)" }
        }
        #expect(declared("Album", "isLive") == "Boolean" && declared("Album", "price") == "Decimal, optional" && declared("Album", "inMemory") == nil)
        #expect(declared("Album", "songs") == "to many, optional, ordered, the inverse of Media.album" && declared("Song", "album") == "to one, optional, the inverse of Album.songs")
        // One that is found by its inverse has no values, and is told of.
        #expect(declared("Song", "prequels") == "to many, optional, the inverse of Media.sequel")
        #expect(description.description.contains("  prequels: to many, optional, the inverse of Media.sequel\n"))
        #expect(description.description.contains("  isLive: Bool 3; Boolean\n"))
    }

    /// A model that cannot be read is told, and everything comes under the names of the columns.
    @Test(arguments: ["x'FF00'", "x'62706C6973743030'", "(SELECT randomblob(300))"]) func unreadableModel(cache: String) throws {
        let files = try SourceFiles()
        let fixture = try emptyStore()
        let report = try fixture.store.importDocuments(from: ImportSource(path: Self.storeWithModel(files, cache: cache)), ImportOptions(inBatches: true))
        #expect(report.faults.first.map { $0.place == "the table Z_MODELCACHE" && $0.reason.contains("lower case") } == true && report.stored == 8)
        #expect(try fixture.store.imported("Album", by: "title")["Portrait"]?["islive"] == 1)
    }

    @Test func damagedModel() throws {
        let whole = try Fixture.data("model.cache")
        var random = SeededGenerator(seed: 3)
        let fixture = try emptyStore()
        var outcomes: Set<String> = []
        for _ in 0..<TestShare.rounds(60) {
            let files = try SourceFiles()
            var data = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) { data[Int.random(in: 0..<data.count, using: &random)] = .random(in: 0...255, using: &random) }
            let path = try Self.storeWithModel(files, cache: "x'" + data.map { String(format: "%02x", $0) }.joined() + "'")
            let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(existing: .replace, inBatches: true))
            #expect(report.stored == 8)
            outcomes.insert(report.faults.contains { $0.place == "the table Z_MODELCACHE" } ? "unreadable" : "read")
        }
        #expect(outcomes.contains("unreadable"))
        #expect(try fixture.store.verify().isSound)
    }
}
