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

    @Test func whatIsNotThere() throws {
        let files = try SourceFiles()
        let path = try Self.store(files)
        try FileManager.default.removeItem(atPath: files.directory.file(".Library_SUPPORT"))
        let fixture = try emptyStore()
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true))
        #expect(report.faults.contains { $0.reason.contains("'scan'") } && report.stored == 7)
        #expect(try fixture.store.imported("Song", by: "name")["Leaves"]?["scan"] == nil)
    }
}
