import Foundation
import TestSupport
import Testing
import Trove
import TroveImport

/// The models that are written for a source. Those of two sources are files of this target, so they compile, and sources are imported into them.
@Suite struct SwiftModelsTests {
    private static let concerts = """
        CREATE TABLE composer (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, born DATE, "class" TEXT, "Full Name" TEXT, fee DECIMAL(10, 2), "on" BOOLEAN NOT NULL);
        CREATE TABLE work (opus TEXT PRIMARY KEY, composer_id INTEGER NOT NULL REFERENCES composer, title TEXT, minutes REAL, remark, scan BLOB, uid UUID,
            after TEXT REFERENCES work, code TEXT COLLATE NOCASE UNIQUE);
        CREATE INDEX work_title ON work (title);
        CREATE INDEX work_composer ON work (composer_id);
        CREATE INDEX work_length ON work (composer_id, minutes);
        CREATE INDEX work_remark ON work (remark);
        CREATE INDEX work_some ON work (minutes) WHERE minutes > 10;
        CREATE TABLE performance (work TEXT REFERENCES work, day DATE, id INTEGER, PRIMARY KEY (work, day)) WITHOUT ROWID;
        CREATE TABLE "data" (note TEXT, work TEXT, day DATE, FOREIGN KEY (work, day) REFERENCES performance);
        CREATE TABLE empty_hall (id INTEGER PRIMARY KEY, seats INTEGER, opened DATE, name VARCHAR(20) NOT NULL, owner INTEGER REFERENCES composer);
        INSERT INTO composer VALUES (1, 'Ludwig', '1770-12-17', 'a', 'Ludwig van Beethoven', 5.5, 1), (2, 'Clara', NULL, NULL, NULL, 12, 0);
        INSERT INTO work VALUES ('Op. 67', 1, 'Fifth', 33, 'loud', x'00FF', '00112233-4455-6677-8899-AABBCCDDEEFF', NULL, 'LVB67'),
            ('Op. 7', 2, NULL, 21.5, 7, NULL, NULL, 'Op. 67', NULL);
        INSERT INTO performance VALUES ('Op. 67', '1808-12-22', 4), ('Op. 7', '1835-11-09', NULL);
        INSERT INTO "data" VALUES ('cold', 'Op. 67', '1808-12-22'), ('alone', NULL, NULL);
        """

    private let files: SourceFiles

    init() throws { files = try SourceFiles() }

    /// The text of a file of this target.
    private static func written(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Models/\(name).swift"), encoding: .utf8)
    }

    @Test func theFilesOfThisTargetAreWhatIsWritten() throws {
        let concerts = try ImportSource(path: files.sqlite("concerts.db", Self.concerts)).describe()
        let structs = concerts.swiftModels(named: "concerts")
        #expect(try structs == Self.written("Concerts"), "\(structs)")
        let recordings = try ImportSource(path: CoreDataImportTests.storeWithModel(files)).describe()
        let classes = recordings.swiftModels(.classes, named: "recordings")
        #expect(try classes == Self.written("Recordings"), "\(classes)")
    }

    @Test(arguments: Engine.allCases) func tablesBecomeStructs(engine: Engine) throws {
        let fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, models: Composer.self, Work.self, Performance.self, DataItem.self, EmptyHall.self)
        }
        let store = fixture.store
        let report = try store.importDocuments(from: ImportSource(path: files.sqlite("concerts.db", Self.concerts)), .concerts)
        #expect(report.isComplete && report.stored == 8, "\(report)")
        let ludwig = try #require(try store.fetch(Composer.self, id: 1))
        #expect(ludwig.name == "Ludwig" && ludwig.`class` == "a" && ludwig.fullName == "Ludwig van Beethoven" && ludwig.fee == Decimal(string: "5.5") && ludwig.on)
        #expect(ludwig.born == Date(timeIntervalSince1970: -6_281_107_200))
        let fifth = try #require(try store.fetch(Work.self, id: "Op. 67"))
        #expect(try store.resolve(fifth.composer).fullName == ludwig.fullName)
        #expect(fifth.remark == "loud" && fifth.scan == Data([0, 255]) && fifth.uid == UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") && fifth.after == nil)
        let seventh = try #require(try store.fetch(Work.self, id: "Op. 7"))
        #expect(seventh.remark == 7 && seventh.title == nil && seventh.minutes == 21.5 && seventh.after == Reference(fifth))
        let first = try #require(try store.fetch(Performance.self).where { $0.identifier == 4 }.first())
        #expect(first.work == Reference(fifth))
        let notes = try store.fetch(DataItem.self).sorted(by: \.note).all()
        #expect(notes.map(\.note) == ["alone", "cold"] && notes.map(\.workDay) == [nil, Reference(first)])
        // The indexes and rules of the tables are those of the models.
        #expect(try store.fetch(Work.self).where { $0.title == "Fifth" }.explain().description.contains("title"))
        #expect(throws: TroveError.self) { try store.save(Composer(id: 3, name: "Clara", fee: 1, on: true)) }
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func entitiesBecomeClasses(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Album.self, Film.self, Song.self, Tag.self) }
        var options = ImportOptions.recordings
        options.inBatches = true
        let report = try fixture.store.importDocuments(from: ImportSource(path: CoreDataImportTests.storeWithModel(files)), options)
        // The archive that holds itself, and a relationship without a table.
        #expect(report.faultCount == 2 && report.stored == 8 && report.collections.allSatisfy { $0.isVerified == true && $0.refused == 0 }, "\(report)")
        let context = ObjectContext(fixture.store)
        let portrait = try #require(try context.fetch(Album.self).where { $0.title == "Portrait" }.first())
        #expect(portrait.isLive && portrait.price == Decimal(string: "12.1") && portrait.covers.map(\.word) == ["jazz"])
        let leaves = try #require(try context.fetch(Song.self).where { $0.name == "Leaves" }.first())
        #expect(leaves.album === portrait && leaves.tags.map(\.word) == ["piano", "jazz"] && leaves.key == 3 && leaves.playCount == 7)
        let heart = try #require(try context.fetch(Song.self).where { $0.name == "Heart" }.first())
        #expect(heart.sequel == leaves.id && portrait.songs == [heart.id, leaves.id] && heart.extra == "more")
        let film = try #require(try context.fetch(Film.self).first())
        #expect(film.covered == [leaves.id] && film.aspectRatio == 2)
        let tag = Tag(word: "new")
        heart.tags.append(tag)
        try context.save()
        #expect(try fixture.store.fetch(Tag.self).count() == 3 && fixture.store.verify().isSound)
    }

    private func models(_ name: String, _ text: String, _ form: ImportDescription.ModelForm = .structs) throws -> String {
        try ImportSource(path: files.write(name, text)).describe().swiftModels(form)
    }

    @Test func typesAreThoseThatHoldAllValues() throws {
        let text = try models(
            "things.json",
            """
            [{"id": "a", "tags": ["x", "y"], "number": 1.5, "info": {"a": 1}, "odd": 1, "lists": [1, "x"], "always": true},
             {"id": "b", "number": 2, "odd": "x", "none": null, "lists": [], "always": false}]
            """)
        #expect(text.contains("struct Things {\n    let id: String\n    var always: Bool\n    var info: StoredValue?\n    var lists: StoredValue\n    var none: StoredValue?\n"), "\(text)")
        #expect(text.contains("    var number: Double\n    var odd: StoredValue\n    var tags: [String]?\n}"), "\(text)")
        #expect(text.contains("    static let imported = ImportOptions("))
        // Keys of several kinds are no ids, and stay what they are.
        let mixed = try models("mixed.json", #"[{"id": 1}, {"id": "x"}]"#)
        #expect(mixed.contains("struct Mixed {\n    var identifier: StoredValue\n}") && mixed.contains(#""mixed": ["id": "identifier"]"#), "\(mixed)")
    }

    /// What the macros would refuse is not written, nor two attributes of one name, which an import would refuse.
    @Test func whatMacrosAndImportsRefuseIsNotWritten() throws {
        let text = try ImportSource(
            path: files.sqlite(
                "odd.db",
                """
                CREATE TABLE float ("fullName" TEXT PRIMARY KEY, "Full Name" TEXT, a INTEGER, b INTEGER, amount NUMERIC, hash_value TEXT,
                    self_id TEXT REFERENCES float);
                CREATE INDEX float_ab ON float (a, b);
                CREATE UNIQUE INDEX float_ab_unique ON float (a, b);
                CREATE TABLE part (id INTEGER PRIMARY KEY, whole INTEGER REFERENCES part);
                INSERT INTO part VALUES (1, NULL), (2, ''), (3, 1);
                INSERT INTO float VALUES ('x', 'y', 1, 2, 1, 'h', NULL);
                """)
        ).describe().swiftModels()
        for line in ["struct FloatItem {", #"    #Unique<FloatItem>([\.a, \.b])"#, "    let id: String", "    var fullName2: String?", "    var amount: Decimal?", "    var hashValueValue: String?", "    var selfValue: Reference<FloatItem>?", "    var whole: StoredValue?"] {
            #expect(text.contains(line + "\n"), "\(line) is missing in \(text)")
        }
        #expect(!text.contains("#Index") && text.contains(#""Full Name": "fullName2""#), "\(text)")
        let big = try models("big.json", #"[{"n": 18446744073709551615, "m": 1}, {"n": 2, "m": 2}]"#)
        #expect(big.contains("    var m: Int\n    var n: StoredValue\n"), "\(big)")
        // Ids are of the type that a column has, however some of its texts are written.
        let days = try models("days.csv", "id,n\n2020-01-01,1\n2020-01-02,2\n")
        #expect(days.contains("    var identifier: Date\n") && !days.contains("let id"), "\(days)")
        #expect(try models("names.csv", "id,n\n1,1\nx,2\n").contains("    let id: String\n"))
    }

    @Test func namesAreThoseThatSwiftHas() throws {
        let text = try models(
            "my data-set (2).csv", "TITLE,first name,URLOfImage,2nd,class,Type,first_name,\u{e9}t\u{e9},★\n1,1,1,1,1,1,1,1,1\n", .classes)
        for line in ["final class MyDataSet2 {", "var title: Int", "var firstName: Int", "var urlOfImage: Int", "var value2nd: Int", "var `class`: Int", "var firstName2: Int", "var \u{e9}t\u{e9}: Int", "var attribute: Int"] {
            #expect(text.contains("    " + line) || text.contains(line + "\n"), "\(line) is missing in \(text)")
        }
        #expect(text.contains("self.`class` = `class`") && text.contains(#""first name": "firstName""#) && text.contains(#""my data-set (2)": "MyDataSet2""#), "\(text)")
        // What a source is called ends no literal and no comment.
        let hostile = try ImportSource(
            path: files.sqlite("hostile.db", "CREATE TABLE \"a\"\"\n}; fatalError() //\" (\"x\\(1)\n\" INTEGER); INSERT INTO \"a\"\"\n}; fatalError() //\" VALUES (1)")
        ).describe().swiftModels()
        #expect(hostile.contains(#"struct AFatalError {"#) && hostile.contains(#""a\"\u{a}}; fatalError() //": "AFatalError""#) && hostile.contains(#""x\\(1)\u{a}": "x1""#), "\(hostile)")
        #expect(!hostile.contains("\n};"))
    }
}
