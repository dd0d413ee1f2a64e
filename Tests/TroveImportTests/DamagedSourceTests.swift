import Foundation
import TestSupport
import Testing
import Trove
import TroveImport

/// Files with bytes changed: an import ends with an error that says where, or tells the rows, and never crashes; the store stays sound.
@Suite struct DamagedSourceTests {
    static let kinds: [ImportKind] = [.sqlite, .coreData, .nanoStore, .csv, .json, .jsonLines, .propertyList, .keyedArchive, .fringeData, .parse]

    @Test(arguments: kinds) func changedBytes(kind: ImportKind) throws {
        let files = try SourceFiles()
        let whole = try Data(contentsOf: URL(fileURLWithPath: Self.source(kind, files)))
        var random = SeededGenerator(seed: 77)
        let fixture = try emptyStore()
        var outcomes: Set<String> = []
        for round in 0..<60 {
            var data = whole
            switch round % 4 {
            case 0: data = data.prefix(Int.random(in: 0..<data.count, using: &random))
            case 1: data.replaceSubrange(Int.random(in: 0..<data.count, using: &random)..., with: [])
            default:
                for _ in 0..<Int.random(in: 1...12, using: &random) { data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            }
            let path = try files.write("damaged-\(round)", data)
            do {
                let source = try ImportSource(path: path, kind: kind)
                _ = try source.describe()
                let report = try fixture.store.importDocuments(from: source, ImportOptions(existing: .replace, inBatches: true))
                outcomes.insert(report.faultCount > 0 ? "faults" : "taken")
                #expect(report.collections.allSatisfy { $0.isVerified != false } && report.bags.allSatisfy { $0.isVerified != false })
            } catch is ImportError {
                outcomes.insert("error")
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == data)
        }
        #expect(outcomes.contains("error") || outcomes.contains("faults"))
        #expect(try fixture.store.verify().isSound)
    }

    /// A path of more names than values have levels, in an object that is put together from its values: what is behind the last level is one name.
    @Test func deepPathOfNanoStore() throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "deep.db",
            """
            CREATE TABLE NSFValues(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFAttribute TEXT, NSFValue NONE, NSFDatatype TEXT);
            CREATE TABLE NSFKeys(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFPlist TEXT, NSFCalendarDate TEXT, NSFObjectClass TEXT);
            INSERT INTO NSFKeys (NSFKey, NSFPlist, NSFObjectClass) VALUES ('k', 'none', 'Thing');
            INSERT INTO NSFValues (NSFKey, NSFAttribute, NSFValue) VALUES ('k', 'name', 'x'), ('k', 'p.q', 1), ('k', 'p!', 2), ('k', 'p', 3), ('k', 'n', NULL), ('k', 'n.m', 4),
                ('k', replace(hex(zeroblob(500000)), '00', 'a.') || 'b', 5);
            """)
        let fixture = try emptyStore()
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true))
        #expect(report.collections.map { "\($0.name) \($0.stored) \($0.isVerified == true)" } == ["Thing 1 true"])
        let value = try #require(try fixture.store.imported("Thing", by: "name")["x"]?.value)
        // A path through a value has no place, and one through nil has.
        #expect(value.value(at: "p") == 3 && value.value(at: DocumentPath([.name("p!")])) == 2 && value.value(at: "n.m") == 4)
        guard case .object(let last)? = value.value(at: DocumentPath([DocumentPath.Step](repeating: .name("a"), count: 199))) else {
            Issue.record("the path has not its levels")
            return
        }
        #expect(last.count == 1 && last.keys.first?.utf8.count == 2 * (500_000 - 199) + 1 && last.values.first == 5)
    }

    /// A generated column whose values are many times as large as the file.
    @Test func valuesLargerThanTheFile() throws {
        let files = try SourceFiles()
        let path = try files.sqlite(
            "large.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, x AS (zeroblob(id * 1000))); INSERT INTO t (id) VALUES (1), (2), (900000)")
        let fixture = try emptyStore()
        let source = try ImportSource(path: path)
        #expect(throws: ImportError.self) { try fixture.store.importDocuments(from: source) }
        #expect(throws: ImportError.self) { try source.describe() }
        #expect(try fixture.store.counts()["t"] ?? 0 == 0)
        // One that is stored may be nearly as large as the file.
        let stored = try files.sqlite("stored.db", "CREATE TABLE u (id INTEGER PRIMARY KEY, y); INSERT INTO u VALUES (1, zeroblob(3000000)), (2, hex(zeroblob(1500000)));")
        #expect(try fixture.store.importDocuments(from: ImportSource(path: stored)).collections.map { "\($0.name) \($0.stored) \($0.isVerified == true)" } == ["u 2 true"])
    }

    /// A line of very many names, and very many lines that are shorter, take time as the file is long.
    @Test(.timeLimit(.minutes(1))) func manyNamesOfCSV() throws {
        let files = try SourceFiles()
        let path = try files.write("wide.csv", String(repeating: ",", count: 99_999) + "\n" + String(repeating: "1\n", count: 10_000))
        let source = try ImportSource(path: path, kind: .csv)
        #expect(try source.describe().faultCount == 10_000)
        let twice = try files.write("twice.csv", (0..<1_000).map { "n\($0)," }.joined() + "n7\n")
        #expect(throws: ImportError.self) { try ImportSource(path: twice, kind: .csv) }
    }

    private static func source(_ kind: ImportKind, _ files: SourceFiles) throws -> String {
        switch kind {
        case .sqlite: try files.sqlite("a", TableImportTests.music)
        case .coreData:
            try files.sqlite(
                "a",
                """
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Album', 0, 2); CREATE TABLE ZALBUM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR, ZDATA BLOB);
                INSERT INTO ZALBUM VALUES (1, 1, 1, 'a', x'0102'), (2, 1, 1, 'b', NULL);
                """)
        case .nanoStore:
            try files.sqlite(
                "a",
                """
                CREATE TABLE NSFValues(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFAttribute TEXT, NSFValue NONE, NSFDatatype TEXT);
                CREATE TABLE NSFKeys(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFPlist TEXT, NSFCalendarDate TEXT, NSFObjectClass TEXT);
                INSERT INTO NSFKeys VALUES (1, 'a', '<?xml version="1.0"?><plist version="1.0"><dict><key>x</key><integer>1</integer></dict></plist>', NULL, 'T');
                INSERT INTO NSFKeys VALUES (2, 'b', '<plist version="1.0"><dict><key>NSF_Private_NSFNanoBag_Name</key><string>n</string><key>NSF_Private_NSFNanoBag_NSFObjectKeys</key><array><string>a</string><string>b</string></array></dict></plist>', NULL, 'NSFNanoBag');
                INSERT INTO NSFValues VALUES (1, 'a', 'x', 1, 'REAL');
                """)
        case .csv: try files.write("a", (0..<30).map { "\($0),\"text \($0)\",\($0).5\n" }.reduce("id,name,n\n", +))
        case .json: try files.write("a", "[" + (0..<20).map { #"{"id": \#($0), "a": {"b": ["x", 1.5, null]}}"# }.joined(separator: ", ") + "]")
        case .jsonLines: try files.write("a", (0..<20).map { #"{"id": \#($0), "a": ["x"]}"# }.joined(separator: "\n"))
        case .propertyList:
            try files.write("a", PropertyListSerialization.data(fromPropertyList: [["id": 1, "a": ["x", 2.5, Data([1])]], ["id": 2]] as [[String: Any]], format: .binary, options: 0))
        case .keyedArchive: try files.write("a", Fixture.data("people.archive"))
        case .fringeData: try files.write("a", #"{"root": "r", "r": {"class": "T", "uuid": "r", "other": "s"}, "s": {"class": "T", "uuid": "s"}}"#)
        case .parse: try files.write("a", #"{"results": [{"objectId": "x", "p": {"__type": "Pointer", "className": "a", "objectId": "x"}}]}"#)
        case .bzObjectStore, .sqlitePersistentObjects: throw SourceError(reason: "as SQLite's")
        }
    }
}
